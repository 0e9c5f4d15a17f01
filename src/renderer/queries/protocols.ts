import type { ProtocolTable, ProtocolTableQuery } from '../../contract/protocols.ts';
import type { AssignmentList, CachedProtocol, InspectionPoint } from '../../contract/resources.ts';
import { useCalls } from './provider.tsx';
import { type Answer, useAnswerQuery } from './use-answer-query.ts';
import { type ReadingState, useReadingQuery } from './use-reading-query.ts';
import { type Rows, useWindowQuery, type WindowState } from './use-window-query.ts';

/** The assignments of a protocol. */
export const useProtocolAssignments = (InspectionProtocolId: string): ReadingState<AssignmentList> => {
  const { assignments } = useCalls().protocols;
  return useReadingQuery((how) => assignments({ InspectionProtocolId, ...how }));
};

/** A protocol of the offline data. */
export const useProtocol = (InspectionProtocolId: string): Answer<CachedProtocol> =>
  useAnswerQuery(useCalls().protocols.get({ InspectionProtocolId }));

/** The inspection points of a protocol. */
export const useInspectionPoints = (InspectionProtocolId: string): ReadingState<readonly InspectionPoint[]> => {
  const { inspectionPoints } = useCalls().protocols;
  return useReadingQuery((how) => inspectionPoints({ InspectionProtocolId, ...how }));
};

const rowsOf = ({ Items, total }: ProtocolTable): Rows<CachedProtocol> => ({ rows: Items, total });

/** The protocols in the offline data that `query` selects, in its order. */
export const useProtocolTable = (query: Partial<ProtocolTableQuery>): WindowState<ProtocolTable, CachedProtocol> => {
  const { table } = useCalls().protocols;
  return useWindowQuery((window) => table({ ...query, ...window }), rowsOf);
};
