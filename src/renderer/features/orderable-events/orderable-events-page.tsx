import { useState } from 'react';
import type { OrderableEvent } from '../../../contract/resources.ts';
import { beginsWithOne, hasBeginnings, idBeginnings, plainWords, searchable } from '../../../contract/search.ts';
import { CopiedText } from '../../domain/copy.tsx';
import { ReadingView, RefreshButton } from '../../domain/readings.tsx';
import { useReadingQuery } from '../../queries/query.tsx';
import { type Column, type Sort, useSort } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { formats, useMemoInWords } from '../../words/formats.ts';
import { t } from '../../words/words.ts';

const columns: readonly Column<OrderableEvent>[] = [
  { id: 'Event', header: 'protocols.events.event', sort: 'EventName', cell: (row) => row.EventName },
  {
    id: 'Event ID',
    header: 'protocols.events.id',
    width: '45%',
    sort: 'EventId',
    cell: ({ EventId }) => <CopiedText name={t('protocols.events.id')} text={EventId} />,
    text: ({ EventId }) => EventId,
  },
];

/**
 * Returns the events whose id begins with `text`, or in whose name each word of `text` begins a word. Without `sort`,
 * they keep the service's order.
 */
const selectEvents = (events: readonly OrderableEvent[], text: string, sort: Sort | undefined) => {
  const words = plainWords(text);
  const ids = idBeginnings(text);
  const found = events.filter(
    ({ EventName, EventId }) => hasBeginnings(searchable(EventName), words) || beginsWithOne(EventId, ids),
  );
  if (sort === undefined) return found;
  const by = sort.by === 'EventId' ? 'EventId' : 'EventName';
  const sorted = found.sort((one, other) => formats().collator.compare(one[by], other[by]));
  return sort.descending ? sorted.reverse() : sorted;
};

export const OrderableEventsPage = () => {
  const state = useReadingQuery<readonly OrderableEvent[]>(({ orderableEvents }, how) => orderableEvents.list(how));
  const [text, setText] = useState('');
  const [sort, setSort] = useSort('orderable-events');
  const all = state.value?.value;
  const rows = useMemoInWords(() => selectEvents(all ?? [], text, sort), [all, text, sort]);
  return (
    <Page
      title={t('protocols.events.title')}
      layout="fill"
      count={all ? t('count.event', { count: rows.length }) : ''}
      actions={
        <>
          <RefreshButton busy={state.busy} onClick={state.reload} />
          <SearchField label={t('protocols.events.search')} value={text} onChange={setText} />
        </>
      }
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
              rows={rows}
              rowKey={({ EventId }) => EventId}
              unreadable={unreadable}
              searched={text}
              sort={sort}
              onSort={setSort}
              empty={<Empty title={t('search.nothing', { text })} />}
              busy={state.busy}
            />
          )
        }
      </ReadingView>
    </Page>
  );
};
