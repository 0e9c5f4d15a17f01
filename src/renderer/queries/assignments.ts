/**
 * Queries of assignments that several pages make. They are apart from the tables of assignments, which the first screen
 * loads later.
 */
import type { WorkDays } from '../../contract/assignments.ts';
import type { AssignmentList, KnownAssignment } from '../../contract/resources.ts';
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
