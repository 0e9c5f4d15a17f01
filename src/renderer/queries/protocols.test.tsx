// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { AssignmentList, InspectionPoint, OrderableEvent, Reading } from '../../contract/resources.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { useOrderableEvents } from './orderable-events.ts';
import { useInspectionPoints, useProtocolAssignments } from './protocols.ts';

const read = <T,>(value: T, offline: boolean | undefined): Reading<T> => ({
  value,
  unreadable: 0,
  source: offline ? 'cache' : 'service',
  fetchedAtMs: 1,
});

it('reads the assignments and the inspection points of a protocol, and the orderable events', async () => {
  const { render } = await createTestWindow({
    protocols: {
      assignments: ({ InspectionProtocolId, offline }) =>
        read<AssignmentList>({ Items: [], Count: 0, TotalCount: InspectionProtocolId.length }, offline),
      inspectionPoints: ({ InspectionProtocolId, offline }) =>
        read([{ ProtocolInspectionPointId: InspectionProtocolId } as InspectionPoint], offline),
    },
    orderableEvents: { list: ({ offline }) => read<OrderableEvent[]>([{ EventId: 'e', EventName: 'Visit' }], offline) },
  });
  const { result, rerender } = render(
    (id: string) => ({
      assignments: useProtocolAssignments(id).reading,
      points: useInspectionPoints(id).reading,
      events: useOrderableEvents().reading,
    }),
    'p1',
  );
  await waitFor(() => expect(result.current.assignments).toEqual(read({ Items: [], Count: 0, TotalCount: 2 }, false)));
  await waitFor(() => expect(result.current.points).toEqual(read([{ ProtocolInspectionPointId: 'p1' }], false)));
  await waitFor(() => expect(result.current.events?.value[0]?.EventName).toBe('Visit'));
  rerender('p2');
  await waitFor(() => expect(result.current.points).toEqual(read([{ ProtocolInspectionPointId: 'p2' }], false)));
});
