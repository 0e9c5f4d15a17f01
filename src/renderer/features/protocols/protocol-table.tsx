import { useRef } from 'react';
import { ProtocolColumn } from '../../../contract/protocols.ts';
import type { CachedProtocol } from '../../../contract/resources.ts';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import { Failure } from '../../domain/errors/failure.tsx';
import { FailureBar } from '../../domain/errors/failure-bar.tsx';
import { protocolColumns } from '../../domain/protocols/protocol-columns.tsx';
import { ReadingNotes } from '../../domain/readings/reading-notes.tsx';
import { nextPage, type Shows } from '../../queries/protocol-pages.ts';
import { useProtocolTable } from '../../queries/protocols.ts';
import { useProtocolList } from '../../queries/use-protocol-list.ts';
import { useApp, useDesk } from '../../state/context.tsx';
import { useSort } from '../../state/use-sort.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { useLatest } from '../../ui/data-table/use-latest.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loading } from '../../ui/loading.tsx';
import { t } from '../../words/words.ts';
import { countFilters, filterColumns, narrowing, type ProtocolFilter, type Scope } from './protocol-filter.ts';
import { ProtocolSummary } from './protocol-summary.tsx';

const emptyTitle = (shows: Shows, text: string): string => {
  if (shows === 'filtered') return t('protocols.noFiltered');
  return shows === 'search' ? t('protocols.noMatch', { query: text }) : t('protocols.empty');
};

/** A hint: filters match only the beginnings of words. */
const emptyHint = (shows: Shows, filter: ProtocolFilter, text: string): string | undefined => {
  if (shows === 'filtered' && filterColumns.some((column) => filter[column].trim() !== ''))
    return t('protocols.noFilteredHint');
  return text === '' ? undefined : t('protocols.noMatchHint');
};

/** The note on a table whose filters and order cover only `cached` of `total` protocols. */
const partNote = (shows: Shows, isSorted: boolean, cached: number, total: number): string | undefined => {
  if (shows === 'filtered') return t('protocols.among', { loaded: cached, count: total });
  return isSorted ? t('protocols.sorted') : undefined;
};

const protocolKey = ({ InspectionProtocolId }: CachedProtocol): string => InspectionProtocolId;

type SearchState = Pick<ReturnType<typeof useProtocolList>, 'list' | 'isComplete' | 'busy' | 'error' | 'readsAll'>;

/** What was found, and in what; undefined once the service's own matches are all here or counted. */
const foundText = (
  { list, isComplete, busy, error, readsAll }: SearchState,
  found: { readonly count: number; readonly loaded: string },
): string | undefined => {
  if (error !== undefined) return t('protocols.found.here', found);
  if (list?.source === 'cache') return t('protocols.found.offline', found);
  if (list === undefined || (busy && !readsAll)) return t('protocols.found.asking', found);
  return isComplete || list.total > found.count ? undefined : t('protocols.found.part', found);
};

type ProtocolTableProps = {
  readonly text: string;
  readonly filter: ProtocolFilter;
  readonly scope: Scope;
};

/**
 * The protocols of the offline data, immediately and in any order. Behind them the service's list is read as far as the
 * table needs it, and its rows appear in the table.
 */
export const ProtocolTable = ({ text: typed, filter, scope }: ProtocolTableProps) => {
  const desk = useDesk();
  const open = useApp((state) => state.open);
  const [sort, setSort] = useSort('protocols');
  const text = typed.slice(0, LONGEST_SEARCH);
  const column = ProtocolColumn.safeParse(sort?.by).data;
  const order = column && sort && { sort: column, descending: sort.descending };
  const query = { ...narrowing(text, filter, scope), ...order };
  const { held, rowAt, error, onRange, read, reload } = useProtocolTable(query);
  const rows = held?.total ?? 0;
  const cached = held?.answer.cached ?? 0;

  const isFiltered = countFilters(filter) > 0 || scope.month !== undefined || scope.severity !== undefined;
  const shows: Shows = isFiltered ? 'filtered' : text !== '' ? 'search' : order === undefined ? 'list' : 'sorted';
  const range = useRef({ first: 0, last: 0 });
  const service = useProtocolList(text, () => held && { shows, rows, cached, ...range.current });
  const loaded = t('count.protocol', { count: cached });
  const onView = useLatest((first: number, last: number) => {
    range.current = { first, last };
    onRange(first, last);
    service.look();
  });
  const openRow = useLatest((protocol: CachedProtocol) =>
    open({ name: 'protocol', protocol, severity: scope.severity }),
  );
  const onSave = useLatest(async () => {
    const { protocolSheet } = await import('./protocol-sheet.ts');
    const sheet = await protocolSheet(read);
    const saved = await desk.export.csv(sheet);
    return saved && { path: saved.path, rows: sheet.rows.length };
  });

  const { list, busy } = service;
  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  if (held === undefined) return <Loading label={t('protocols.loading')} />;
  const isAsking = list === undefined && service.error === undefined && shows !== 'filtered';
  if (cached === 0 && service.error !== undefined) return <Failure error={service.error} onRetry={service.reload} />;
  const lacking = list !== undefined && nextPage(list, { shows, rows, cached }) !== undefined ? list.total : undefined;
  // Only the last complete walk counts this for the whole list; for filtered rows it is unknown.
  const walked = shows === 'list' || shows === 'sorted' ? held.answer.unreadable : 0;
  const unread = shows === 'filtered' ? 0 : Math.max(walked, list?.unreadable ?? 0);
  return (
    <>
      <ProtocolSummary
        found={shows === 'search' ? foundText(service, { count: rows, loaded }) : undefined}
        rows={rows}
        of={shows === 'filtered' ? undefined : lacking}
        busy={busy}
        onRefresh={service.reload}
        onSave={onSave}
        note={lacking === undefined ? undefined : partNote(shows, order !== undefined, cached, lacking)}
        hasMore={shows === 'search' && list?.source === 'service' && !service.isComplete && (!busy || service.readsAll)}
        isUnknown={list === undefined && service.error === undefined}
        error={service.error}
        readsAll={service.readsAll}
        onRead={service.setReadsAll}
      />
      {list !== undefined && !busy && <ReadingNotes reading={list} />}
      {service.error !== undefined && <FailureBar error={service.error} onRetry={service.reload} />}
      <DataTable
        id="protocols"
        label={t('protocols.title')}
        columns={protocolColumns}
        count={rows}
        rowAt={rowAt}
        rowKey={protocolKey}
        read={read}
        total={list === undefined || shows === 'filtered' ? rows : Math.max(rows, list.total)}
        unreadable={unread}
        question={held.question}
        searched={text}
        busy={busy}
        sort={sort}
        onSort={setSort}
        onRange={onView}
        open={openRow}
        empty={
          rows > 0 ? undefined : isAsking ? (
            <Loading label={t('protocols.loading')} />
          ) : (
            <Empty title={emptyTitle(shows, text)} hint={emptyHint(shows, filter, text)} />
          )
        }
      />
    </>
  );
};
