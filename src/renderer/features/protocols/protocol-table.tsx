import { useCallback, useMemo, useRef } from 'react';
import type { CachedProtocol } from '../../../contract/cached.ts';
import { ProtocolColumn } from '../../../contract/protocol-table.ts';
import { Failure } from '../../domain/errors/failure.tsx';
import { FailureBar } from '../../domain/errors/failure-bar.tsx';
import { protocolColumns } from '../../domain/protocols/protocol-columns.tsx';
import { ReadingNotes } from '../../domain/readings/reading-notes.tsx';
import { rowIn } from '../../queries/windows.ts';
import { useApp } from '../../state/context.tsx';
import { useSort } from '../../state/use-sort.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { useLatest } from '../../ui/data-table/use-latest.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loading } from '../../ui/loading.tsx';
import { t } from '../../words/words.ts';
import {
  countFilters,
  filterColumns,
  longestText,
  narrowing,
  type ProtocolFilter,
  type Scope,
} from './protocol-filter.ts';
import { ProtocolSummary } from './protocol-summary.tsx';
import { nextPage, type Shows, type View } from './service-list.ts';
import { useProtocolRows } from './use-protocol-rows.ts';
import { useServiceList } from './use-service-list.ts';

const emptyTitle = (shows: Shows, text: string): string => {
  if (shows === 'filtered') return t('protocols.noFiltered');
  return shows === 'search' ? t('protocols.noMatch', { query: text }) : t('protocols.empty');
};

/** What may help: a filter that asks for words finds their beginnings only. */
const emptyHint = (shows: Shows, filter: ProtocolFilter, text: string): string | undefined => {
  if (shows === 'filtered' && filterColumns.some((column) => filter[column].trim() !== ''))
    return t('protocols.noFilteredHint');
  return text === '' ? undefined : t('protocols.noMatchHint');
};

/** What is to be said of a table whose filters and order see only `kept` of `total` protocols. */
const partNote = (shows: Shows, isSorted: boolean, kept: number, total: number): string | undefined => {
  if (shows === 'filtered') return t('protocols.among', { kept, total: t('count.protocol', { count: total }) });
  return isSorted ? t('protocols.sorted') : undefined;
};

export type ProtocolTableProps = {
  readonly text: string;
  readonly filter: ProtocolFilter;
  readonly scope: Scope;
};

/**
 * The protocols on this computer, at once and in any order, while the service is asked for the same behind them: what
 * it answers comes into the table. Scrolling on reads on.
 */
export const ProtocolTable = ({ text: typed, filter, scope }: ProtocolTableProps) => {
  const open = useApp((state) => state.open);
  const [sort, setSort] = useSort('protocols');
  const text = typed.slice(0, longestText);
  const query = useMemo(() => {
    const column = ProtocolColumn.safeParse(sort?.by).data;
    const order = column && sort && { sort: column, descending: sort.descending };
    return { ...narrowing(text, filter, scope), ...order };
  }, [text, filter, scope, sort]);
  const { held, heldBy, error, onRange, refresh, kept, unreadable } = useProtocolRows(query);
  const rows = held?.total ?? 0;

  const isFiltered = countFilters(filter) > 0 || scope.month !== undefined || scope.severity !== undefined;
  const shows: Shows = isFiltered ? 'filtered' : text !== '' ? 'search' : query.sort === undefined ? 'list' : 'sorted';
  const range = useRef({ first: 0, last: 0 });
  const viewNow = (): View => ({ shows, rows, kept, ...range.current });
  const onPage = useCallback(() => refresh(0), [refresh]);
  const { list, look, readsAll, setReadsAll, reload } = useServiceList(text, { held, viewNow, onPage });
  const onView = useLatest((first: number, last: number) => {
    range.current = { first, last };
    onRange(first, last);
    look();
  });
  const rowAt = useCallback((index: number) => held && rowIn(held, index), [held]);
  const onRefresh = useLatest(reload);
  const openRow = useLatest((protocol: CachedProtocol) =>
    open({ name: 'protocol', protocol, severity: scope.severity }),
  );

  const { told, busy } = list;
  if (error !== undefined) return <Failure error={error} onRetry={() => refresh(0)} />;
  if (held === undefined || heldBy === undefined) return <Loading label={t('protocols.loading')} />;
  const isAsking = told === undefined && list.error === undefined && shows !== 'filtered';
  if (kept === 0 && list.error !== undefined) return <Failure error={list.error} onRetry={reload} />;
  const lacking = told !== undefined && nextPage(told, { shows, rows, kept }) !== undefined ? told.total : undefined;
  // Only of the whole list the last walk through all tells; of what filters leave nobody does.
  const walked = shows === 'list' || shows === 'sorted' ? unreadable : 0;
  const unread = shows === 'filtered' ? 0 : Math.max(walked, told?.unreadable ?? 0);
  return (
    <>
      <ProtocolSummary
        rows={rows}
        of={shows === 'filtered' ? undefined : lacking}
        busy={busy}
        onRefresh={onRefresh}
        read={heldBy}
        note={lacking === undefined ? undefined : partNote(shows, query.sort !== undefined, kept, lacking)}
        readsAll={readsAll}
        onRead={setReadsAll}
      />
      {told !== undefined && !busy && <ReadingNotes reading={told} />}
      {list.error !== undefined && <FailureBar error={list.error} onRetry={reload} />}
      <DataTable
        id="protocols"
        label={t('protocols.title')}
        columns={protocolColumns}
        count={rows}
        rowAt={rowAt}
        total={told === undefined || shows === 'filtered' ? rows : Math.max(rows, told.total)}
        unreadable={unread}
        question={heldBy}
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
