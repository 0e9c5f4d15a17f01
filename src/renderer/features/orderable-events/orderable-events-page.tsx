import { useCallback } from 'react';
import type { OrderableEvent } from '../../../contract/resources.ts';
import { useDesk } from '../../app/context.tsx';
import { ReadingView } from '../../app/reading-view.tsx';
import { counted } from '../../ui/amounts.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import { useReading } from '../../ui/use-reading.ts';

const columns: readonly Column<OrderableEvent>[] = [
  { header: 'Event', cell: (row) => row.EventName },
  { header: 'Event ID', width: '45%', cell: (row) => row.EventId },
];

/** The events that can be ordered. */
export const OrderableEventsPage = () => {
  const desk = useDesk();
  const state = useReading(useCallback(() => desk.orderableEvents.list({}), [desk]));
  return (
    <Page
      title="Orderable events"
      subtitle={<span role="status">{state.reading && counted(state.reading.value.length, 'event')}</span>}
      actions={<RefreshButton busy={state.busy} onClick={state.reload} />}
    >
      <PageFill>
        <ReadingView state={state} loading="Loading orderable events">
          {(events) =>
            events.length === 0 ? (
              <Empty title="There are no events to order." />
            ) : (
              <DataTable
                label="Orderable events"
                columns={columns}
                count={events.length}
                rowAt={(index) => events[index]}
                busy={state.busy}
              />
            )
          }
        </ReadingView>
      </PageFill>
    </Page>
  );
};
