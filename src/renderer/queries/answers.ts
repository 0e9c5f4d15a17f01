/** Queries that several pages make, and those whose response comes in parts. */

import { experimental_streamedQuery as streamedQuery, useQuery } from '@tanstack/react-query';
import type { WorkDays } from '../../contract/assignments.ts';
import { toErrorData } from '../../contract/errors.ts';
import type { AssignmentList, KnownAssignment } from '../../contract/resources.ts';
import type { VerifiedPart } from '../../contract/uploads.ts';
import { useDesk } from '../state/context.tsx';
import { useNow } from '../ui/hooks.ts';
import { workDaysAround } from '../words/dates.ts';
import { useMemoInWords } from '../words/formats.ts';
import { type Answer, type ReadingState, useAnswerQuery, useCalls, useReadingQuery } from './query.tsx';

/** The assignments for projects, of one county unless `County` is empty. */
export const useProjects = (County = ''): ReadingState<AssignmentList> =>
  useReadingQuery(({ assignments }, how) => assignments.projects({ ...how, ...(County !== '' && { County }) }));

/** The known facts of an assignment; disabled without an id. */
export const useAssignment = (AssignmentId: string | undefined): Answer<KnownAssignment> =>
  useAnswerQuery({
    ...useCalls().assignments.get({ AssignmentId: AssignmentId ?? '' }),
    enabled: AssignmentId !== undefined,
  });

const minuteMs = 60_000;

/** When today and the weeks around it begin: the same object all day. */
export const useWorkDays = (): WorkDays => {
  const day = new Date(useNow(minuteMs)).toDateString();
  return useMemoInWords(() => workDaysAround(new Date(day).getTime()), [day]);
};

/**
 * The doctor's report. The doctor runs when the hook is first rendered, and on request; main stops it when the component is
 * unmounted.
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
    // Structural sharing would compare thousands of files with each part.
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
