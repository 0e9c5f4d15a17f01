import { experimental_streamedQuery as streamedQuery, useQuery } from '@tanstack/react-query';
import { type ErrorCode, type ErrorData, toErrorData } from '../../contract/errors.ts';
import type { ErrorGroup, ListedState, UploadFile, VerifiedPart } from '../../contract/uploads.ts';
import { useDesk } from '../state/context.tsx';
import { useCalls } from './provider.tsx';
import { type Answer, useAnswerQuery } from './use-answer-query.ts';
import { type Rows, useWindowQuery, type WindowState } from './use-window-query.ts';
import type { Window } from './window.ts';

type Files = { readonly files: readonly UploadFile[]; readonly total: number };

const rowsOf = ({ files, total }: Files): Rows<UploadFile> => ({ rows: files, total });

/** Which files of a batch: all, those in one of `states`, those that failed for `error`. */
type WhichFiles = {
  readonly batchId: string;
  readonly states?: readonly ListedState[] | undefined;
  readonly error?: ErrorCode | undefined;
};

/** The files of a batch, kept current while it changes. */
export const useBatchFiles = ({ batchId, states, error }: WhichFiles): WindowState<Files, UploadFile> => {
  const { files } = useCalls().uploads;
  const query = (window: Window) => files({ batchId, ...(states && { states }), ...(error && { error }), ...window });
  return useWindowQuery(query, rowsOf);
};

/** Why files of a batch failed, kept current while it changes. */
export const useErrorGroups = (batchId: string): Answer<readonly ErrorGroup[]> =>
  useAnswerQuery(useCalls().uploads.errorGroups({ batchId }));

type Verifying<T> = { readonly sum: T; readonly busy: boolean; readonly error: ErrorData | undefined };

/** Reads the files of `batch` on this computer again while it is rendered, and adds each part to `start` by `add`. */
export const useVerifiedFiles = <T>(
  batchId: string,
  start: T,
  add: (sum: T, part: VerifiedPart) => T,
): Verifying<T> => {
  const { verify, cancelVerify } = useDesk().uploads;
  const { data, error, isFetching } = useQuery({
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
  return { sum: data ?? start, busy: isFetching, error: error === null ? undefined : toErrorData(error) };
};
