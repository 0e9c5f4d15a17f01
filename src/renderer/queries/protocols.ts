import type { AssignmentList, InspectionPoint } from '../../contract/resources.ts';
import { useCalls } from './provider.tsx';
import { type ReadingState, useReadingQuery } from './use-reading-query.ts';

/** The assignments of a protocol. */
export const useProtocolAssignments = (InspectionProtocolId: string): ReadingState<AssignmentList> => {
  const { assignments } = useCalls().protocols;
  return useReadingQuery((how) => assignments({ InspectionProtocolId, ...how }));
};

/** The inspection points of a protocol. */
export const useInspectionPoints = (InspectionProtocolId: string): ReadingState<InspectionPoint[]> => {
  const { inspectionPoints } = useCalls().protocols;
  return useReadingQuery((how) => inspectionPoints({ InspectionProtocolId, ...how }));
};
