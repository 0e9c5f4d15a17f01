/** What is found in the offline data. */
import type { CachedProtocol } from '../../contract/cached.ts';
import type { FoundFile } from '../../contract/found-files.ts';
import type { AssignmentSummary } from '../../contract/resources.ts';
import { type Found, LONGEST_SEARCH, type SearchResults } from '../../contract/search.ts';
import { useCalls } from './provider.tsx';
import { type Answer, useAnswerQuery } from './use-answer-query.ts';
import { type Rows, useWindowQuery, type WindowState } from './use-window-query.ts';

const rowsOf = <Row>({ Items, total }: SearchResults<Row>): Rows<Row> => ({ rows: Items, total });

/** The first `limit` of each kind for `text`, and how many there are. */
export const useFound = (text: string, limit: number): Answer<Found> =>
  useAnswerQuery(useCalls().search.find({ text, limit }));

type FoundFor = {
  readonly text: string;
  readonly found: Found;
  readonly files: { readonly files: readonly FoundFile[]; readonly total: number };
};

const nothing: Found = { protocols: [], protocolTotal: 0, assignments: [], assignmentTotal: 0 };

/**
 * The same, and files of uploads, with the text it was found for: the one before until `text` has its answer, undefined before the first. Nothing is
 * found if the search fails.
 */
export const useFoundFor = (text: string, limit: number): FoundFor | undefined => {
  const { search, files } = useCalls();
  const asked = { text: text.slice(0, LONGEST_SEARCH), limit };
  const { queryKey, queryFn } = search.find(asked);
  const filesOf = files.find(asked).queryFn;
  return useAnswerQuery({
    queryKey: [...queryKey, text],
    queryFn: async () => {
      const [found, ofUploads] = await Promise.all([
        queryFn().catch(() => nothing),
        filesOf().catch(() => ({ files: [], total: 0 })),
      ]);
      return { text, found, files: ofUploads };
    },
    enabled: text !== '',
  }).value;
};

/** The protocols for `text`. */
export const useFoundProtocols = (text: string): WindowState<SearchResults<CachedProtocol>, CachedProtocol> => {
  const { protocols } = useCalls().search;
  return useWindowQuery((window) => protocols({ text, ...window }), rowsOf<CachedProtocol>);
};

/** The assignments for `text`. */
export const useFoundAssignments = (text: string): WindowState<SearchResults<AssignmentSummary>, AssignmentSummary> => {
  const { assignments } = useCalls().search;
  return useWindowQuery((window) => assignments({ text, ...window }), rowsOf<AssignmentSummary>);
};
