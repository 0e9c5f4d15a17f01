/** Queries of pages about assignments, uploads and the app itself. */

import { experimental_streamedQuery as streamedQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { MatchingRule } from '../../contract/drafts.ts';
import { type ErrorCode, toErrorData } from '../../contract/errors.ts';
import type { FileQuery } from '../../contract/files.ts';
import type { AssignmentList, KnownAssignment, OrderableEvent } from '../../contract/resources.ts';
import type { ListedState, VerifiedPart } from '../../contract/uploads.ts';
import { useDesk } from '../state/context.tsx';
import type { RendererDesk } from '../state/desk.ts';
import { type Answer, type ReadingState, useAnswerQuery, useCalls, useReadingQuery, useWindowQuery } from './query.tsx';

/** The assignments for projects, of one county unless `County` is empty. */
export const useProjects = (County = ''): ReadingState<AssignmentList> =>
  useReadingQuery(({ assignments }, how) => assignments.projects({ ...how, ...(County !== '' && { County }) }));

/** The known facts of an assignment; disabled without an id. */
export const useAssignment = (AssignmentId: string | undefined): Answer<KnownAssignment> =>
  useAnswerQuery({
    ...useCalls().assignments.get({ AssignmentId: AssignmentId ?? '' }),
    enabled: AssignmentId !== undefined,
  });

/** The events that can be ordered. */
export const useOrderableEvents = (): ReadingState<readonly OrderableEvent[]> =>
  useReadingQuery(({ orderableEvents }, how) => orderableEvents.list(how));

/** The logo of receipts as a `data:` URL, read again when another one is stored at `path`. */
export const useLogo = (path: string | undefined): Answer<string | undefined> => {
  const { queryKey, queryFn } = useCalls().receipts.logo();
  return useAnswerQuery({ queryKey: [...queryKey, path], queryFn, enabled: path !== undefined, gcTime: 0 });
};

/** More than users look through: the last confirmed ones are shown. */
const SHOWN_RULES = 1_000;

/** The matching rules, the last confirmed first. */
export const useRules = (): Answer<{ readonly rules: readonly MatchingRule[]; readonly total: number }> =>
  useAnswerQuery(useCalls().rules.list({ limit: SHOWN_RULES }));

/** The doctor's report: runs when it is first rendered, and on request; main stops when it is unmounted. */
export const useDoctor = () => {
  const { run, cancel } = useDesk().doctor;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['doctor.run'],
    queryFn: ({ signal }) => {
      signal.addEventListener('abort', () => void cancel());
      return run();
    },
  });
  return {
    report: data,
    error: error === null ? undefined : toErrorData(error),
    busy: isFetching,
    run: (): void => void refetch(),
  };
};

/** Which files of a batch: all, those in one of `states`, those that failed for `error`. */
type WhichFiles = {
  readonly batchId: string;
  readonly states?: readonly ListedState[] | undefined;
  readonly error?: ErrorCode | undefined;
};

/** The files of a batch, kept current while it changes. */
export const useBatchFiles = ({ batchId, states, error }: WhichFiles) =>
  useWindowQuery('files', ({ uploads }, window) =>
    uploads.files({ batchId, ...(states && { states }), ...(error && { error }), ...window }),
  );

/** Reads the files of `batch` on this computer again while it is rendered, and adds each part to `start` by `add`. */
export const useVerifiedFiles = <T>(batchId: string, start: T, add: (sum: T, part: VerifiedPart) => T) => {
  const { verify, cancelVerify } = useDesk().uploads;
  const { data, error, isFetching, dataUpdatedAt } = useQuery({
    queryKey: ['uploads.verify', { batchId }],
    queryFn: streamedQuery({
      streamFn: async function* ({ signal }) {
        signal.addEventListener('abort', () => void cancelVerify());
        for (let after: number | undefined = 0; after !== undefined; ) {
          const part: VerifiedPart = await verify({ batchId, after });
          yield part;
          after = part.next;
        }
      },
      initialValue: start,
      reducer: add,
    }),
    gcTime: 0,
    // Thousands of files would be compared with each part.
    structuralSharing: false,
    placeholderData: () => undefined,
  });
  return {
    sum: data ?? start,
    busy: isFetching,
    error: error === null ? undefined : toErrorData(error),
    /** When its last part came. */
    atMs: dataUpdatedAt,
  };
};

// The files of all uploads.

/** How soon a search is repeated while files are being added to the index. */
const indexingPauseMs = 1_000;

/** The files that match, kept current while uploads continue and while they are being indexed. */
export const useFoundFiles = (query: Partial<Omit<FileQuery, 'offset' | 'limit'>>) => {
  const found = useWindowQuery('files', ({ files }, window) => files.find({ ...query, ...window }));
  const { held, reload } = found;
  const indexing = held?.answer.indexing;
  useEffect(() => {
    if (indexing === undefined) return;
    const timer = setTimeout(reload, indexingPauseMs);
    return () => clearTimeout(timer);
  }, [indexing, reload]);
  return found;
};

type Removable = Awaited<ReturnType<RendererDesk['files']['removable']>>;

/** The files of a batch that can be removed, by folder. */
export const useRemovable = (batchId: string): Answer<Removable> =>
  useAnswerQuery({ ...useCalls().files.removable({ batchId }), gcTime: 0 });

type Removal = Awaited<ReturnType<RendererDesk['files']['removal']>>;

/** The first files of a removal; read again when more of them were `refused`. */
export const useRemoval = (id: number, refused: number, limit: number): Answer<Removal> => {
  const { queryKey, queryFn } = useCalls().files.removal({ id, limit });
  return useAnswerQuery({ queryKey: [...queryKey, refused], queryFn });
};
