import type { AssignmentList, KnownAssignment } from '../../contract/resources.ts';
import type { KnownFile } from '../../contract/uploads.ts';
import { useCalls } from './provider.tsx';
import { type Answer, useAnswerQuery } from './use-answer-query.ts';
import { type ReadingState, useReadingQuery } from './use-reading-query.ts';

/** The assignments for projects, of one county unless `County` is empty. */
export const useProjects = (County = ''): ReadingState<AssignmentList> => {
  const { projects } = useCalls().assignments;
  return useReadingQuery((how) => projects({ ...how, ...(County !== '' && { County }) }));
};

/** The counties whose assignments were read before. */
export const useCounties = (): Answer<readonly string[]> => useAnswerQuery(useCalls().assignments.counties());

/** What is known of an assignment; nothing is asked without one. */
export const useAssignment = (AssignmentId: string | undefined): Answer<KnownAssignment> =>
  useAnswerQuery({
    ...useCalls().assignments.get({ AssignmentId: AssignmentId ?? '' }),
    enabled: AssignmentId !== undefined,
  });

/** The files that are known to be on an assignment. */
export const useKnownFiles = (AssignmentId: string): Answer<readonly KnownFile[]> =>
  useAnswerQuery(useCalls().assignments.knownFiles({ AssignmentId }));
