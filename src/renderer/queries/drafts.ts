/** The rows of the upload that is being prepared, and where they can go. */
import { uniqBy } from 'es-toolkit';
import { z } from 'zod';
import type { DraftCandidate, DraftFilter, DraftRow } from '../../contract/drafts.ts';
import { LONGEST_SEARCH } from '../../contract/search.ts';
import { type Answer, useAnswerQuery, useCalls, useWindowQuery } from './query.tsx';

/** The columns by which rows can be sorted. */
export const DraftSort = z.enum(['path', 'files', 'bytes', 'assignment', 'certainty']);

export type RowsQuestion = {
  readonly filter: DraftFilter;
  readonly text: string;
  /** Undefined: undecided rows first, then by path. */
  readonly sort: z.infer<typeof DraftSort> | undefined;
  readonly descending: boolean;
};

/** The rows of the draft, kept current while it changes. */
export const useDraftRows = ({ filter, text, sort, descending }: RowsQuestion) =>
  useWindowQuery('rows', ({ drafts }, window) =>
    drafts.rows({
      filter,
      ...(text !== '' && { text: text.slice(0, LONGEST_SEARCH) }),
      ...(sort && { sort, descending }),
      ...window,
    }),
  );

type CandidatesFor = {
  readonly rowId: number;
  readonly text: string;
  readonly candidates: readonly DraftCandidate[];
  readonly total: number;
};

/**
 * The assignments that a row may go to, or those found for `text`, with that row and text: the previous result until the present
 * one is there.
 */
export const useCandidates = (rowId: number, text: string): CandidatesFor | undefined => {
  const searched = text.trim().slice(0, LONGEST_SEARCH);
  const { queryKey, queryFn } = useCalls().drafts.candidates({ rowId, ...(searched !== '' && { text: searched }) });
  return useAnswerQuery({
    queryKey: [...queryKey, text],
    queryFn: async () => {
      const { candidates, total } = await queryFn();
      return { rowId, text, candidates: uniqBy(candidates, ({ AssignmentId }) => AssignmentId), total };
    },
  }).value;
};

/**
 * The rows that a choice for this row would also suit, including itself; the previous row's until the result arrives.
 */
export const useAlike = (rowId: number): { readonly rowId: number; readonly rowIds: readonly number[] } | undefined => {
  const { queryKey, queryFn } = useCalls().drafts.alike({ rowId });
  return useAnswerQuery({ queryKey, queryFn: async () => ({ rowId, ...(await queryFn()) }) }).value;
};

/** The files of a row. */
export const useDraftFiles = (rowId: number) =>
  useWindowQuery('files', ({ drafts }, window) => drafts.files({ rowId, ...window }));

/** Pictures are large: they are forgotten soon after they have left the view. */
const PICTURE_KEPT_MS = 5_000;

/** What the window can show of a file of a row, as in `drafts.preview`, read once `isAsked`. */
export const useDraftPreview = (
  of: { readonly rowId: number; readonly path: string },
  isAsked: boolean,
): Answer<{ readonly picture?: string | undefined; readonly document?: string | undefined }> =>
  useAnswerQuery({
    ...useCalls().drafts.preview(of),
    enabled: isAsked,
    placeholderData: () => undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: PICTURE_KEPT_MS,
  });

/** How many rows with a problem are read: more than users look through. */
const MOST_PROBLEMS = 50;

/** The first rows with a problem, read while `isAsked`; undefined until they are known. */
export const useDraftProblems = (isAsked: boolean): readonly DraftRow[] | undefined => {
  const { rows } = useCalls().drafts;
  return useAnswerQuery({ ...rows({ filter: 'problems', limit: MOST_PROBLEMS }), enabled: isAsked }).value?.rows;
};

/** How many files of a row will be renamed; without a row, of the whole draft if everything goes to one assignment. */
export const useRenamed = (rowId: number | undefined): Answer<number> => {
  const { queryKey, queryFn } = useCalls().drafts.names({ ...(rowId !== undefined && { rowId }), limit: 1 });
  return useAnswerQuery({ queryKey: [...queryKey, 'count'], queryFn: async () => (await queryFn()).total });
};

/** The files of a row that will be renamed, up to the limit of the list. */
export const useRenames = (rowId: number | undefined) =>
  useWindowQuery('renames', ({ drafts }, window) => drafts.names({ ...(rowId !== undefined && { rowId }), ...window }));
