import type { OrderableEvent } from '../../../contract/resources.ts';
import { ReadingView } from '../../domain/readings/reading-view.tsx';
import { RefreshButton } from '../../domain/readings/refresh-button.tsx';
import { useOrderableEvents } from '../../queries/orderable-events.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import { t } from '../../words/words.ts';

const columns: readonly Column<OrderableEvent>[] = [
  { id: 'Event', header: () => t('protocols.events.event'), cell: (row) => row.EventName },
  { id: 'Event ID', header: () => t('protocols.events.id'), width: '45%', cell: (row) => row.EventId },
];

/** The events that can be ordered. */
export const OrderableEventsPage = () => {
  const state = useOrderableEvents();
  return (
    <Page
      title={t('protocols.events.title')}
      subtitle={<span role="status">{state.reading && t('count.event', { count: state.reading.value.length })}</span>}
      actions={<RefreshButton busy={state.busy} onClick={state.reload} />}
    >
      <PageFill>
        <ReadingView state={state} loading={t('protocols.events.loading')}>
          {(events, { unreadable }) =>
            events.length + unreadable === 0 ? (
              <Empty title={t('protocols.events.empty')} />
            ) : (
              <DataTable
                id="orderable-events"
                label={t('protocols.events.title')}
                columns={columns}
                count={events.length}
                rowAt={(index) => events[index]}
                rowKey={({ EventId }) => EventId}
                unreadable={unreadable}
                busy={state.busy}
              />
            )
          }
        </ReadingView>
      </PageFill>
    </Page>
  );
};
