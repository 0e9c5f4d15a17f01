/**
 * Queries of assignments that several pages make. They have a file of their own because the first screen needs them,
 * but loads the tables of assignments later.
 */
import type { WorkDays } from '../../contract/assignments.ts';
import type { AssignmentList, KnownAssignment } from '../../contract/resources.ts';
import { useNow } from '../ui/hooks.ts';
import { workDaysAround } from '../words/dates.ts';
import { useMemoInWords } from '../words/formats.ts';
import { type ReadingState, type Result, useCallQuery, useCalls, useReadingQuery } from './query.tsx';

/** Reads the assignments for projects: those of one county, or all of them if `County` is empty. */
export const useProjects = (County = ''): ReadingState<AssignmentList> =>
  useReadingQuery(({ assignments }, how) => assignments.projects({ ...how, ...(County !== '' && { County }) }));

/** Queries what is known of an assignment. Disabled without an id. */
export const useAssignment = (AssignmentId: string | undefined): Result<KnownAssignment> =>
  useCallQuery({
    ...useCalls().assignments.get({ AssignmentId: AssignmentId ?? '' }),
    enabled: AssignmentId !== undefined,
  });

const minuteMs = 60_000;

/**
 * Returns the starts of today, of this week and of the two weeks after it. Returns the same object until the day, the
 * words or the formats change.
 */
export const useWorkDays = (): WorkDays => {
  const day = new Date(useNow(minuteMs)).toDateString();
  return useMemoInWords(() => workDaysAround(new Date(day).getTime()), [day]);
};
