import type { OrderableEvent } from '../../../contract/resources.ts';
import { ReadingView, RefreshButton } from '../../domain/readings.tsx';
import { useReadingQuery } from '../../queries/query.tsx';
import type { Column } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const columns: readonly Column<OrderableEvent>[] = [
  { id: 'Event', header: 'protocols.events.event', cell: (row) => row.EventName },
  { id: 'Event ID', header: 'protocols.events.id', width: '45%', cell: (row) => row.EventId },
];

export const OrderableEventsPage = () => {
  const state = useReadingQuery<readonly OrderableEvent[]>(({ orderableEvents }, how) => orderableEvents.list(how));
  return (
    <Page
      title={t('protocols.events.title')}
      layout="fill"
      count={state.value ? t('count.event', { count: state.value.value.length }) : ''}
      actions={<RefreshButton busy={state.busy} onClick={state.reload} />}
    >
      <ReadingView {...state} loading={t('protocols.events.loading')}>
        {(events, { unreadable }) =>
          events.length + unreadable === 0 ? (
            <Empty title={t('protocols.events.empty')} />
          ) : (
            <DataTable
              id="orderable-events"
              label={t('protocols.events.title')}
              columns={columns}
              rows={events}
              rowKey={({ EventId }) => EventId}
              unreadable={unreadable}
              busy={state.busy}
            />
          )
        }
      </ReadingView>
    </Page>
  );
};
