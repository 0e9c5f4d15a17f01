/**
 * Queries that several pages make, and queries that run for a while: those of the doctor and of the comparison of
 * files.
 */

import { experimental_streamedQuery as streamedQuery, useQuery } from '@tanstack/react-query';
import type { WorkDays } from '../../contract/assignments.ts';
import { toErrorData } from '../../contract/errors.ts';
import type { AssignmentList, KnownAssignment } from '../../contract/resources.ts';
import type { VerifiedPart } from '../../contract/uploads.ts';
import { useDesk } from '../state/context.tsx';
import { useNow } from '../ui/hooks.ts';
import { workDaysAround } from '../words/dates.ts';
import { useMemoInWords } from '../words/formats.ts';
import { type ReadingState, type Result, useCallQuery, useCalls, useReadingQuery } from './query.tsx';

/** The assignments for projects, of one county unless `County` is empty. */
export const useProjects = (County = ''): ReadingState<AssignmentList> =>
  useReadingQuery(({ assignments }, how) => assignments.projects({ ...how, ...(County !== '' && { County }) }));

/** The known facts of an assignment; disabled without an id. */
export const useAssignment = (AssignmentId: string | undefined): Result<KnownAssignment> =>
  useCallQuery({
    ...useCalls().assignments.get({ AssignmentId: AssignmentId ?? '' }),
    enabled: AssignmentId !== undefined,
  });

const minuteMs = 60_000;

/**
 * When today, this week and next week begin. Returns the same object until the day, the words or the formats change.
 */
export const useWorkDays = (): WorkDays => {
  const day = new Date(useNow(minuteMs)).toDateString();
  return useMemoInWords(() => workDaysAround(new Date(day).getTime()), [day]);
};

/**
 * The doctor's report. The doctor runs when the component is mounted, and on request. If the component is unmounted
 * first, the run is cancelled.
 */
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

/**
 * Compares the files of a batch on this computer with the ledger while the component is mounted. `add` adds each part
 * of the result to the sum, which begins with `start`.
 */
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
    // Structural sharing would compare thousands of files whenever a part arrives.
    structuralSharing: false,
    placeholderData: () => undefined,
  });
  return {
    sum: data ?? start,
    busy: isFetching,
    error: error === null ? undefined : toErrorData(error),
    /** When the last part arrived. */
    atMs: dataUpdatedAt,
  };
};
