import { Button, makeStyles } from '@fluentui/react-components';
import { ArrowDownload20Regular } from '@fluentui/react-icons';
import { useMemo, useRef, useState } from 'react';
import { ProtocolColumn } from '../../../contract/protocols.ts';
import type { CachedProtocol } from '../../../contract/resources.ts';
import { ErrorMessage, Failure, FailureBar } from '../../domain/errors.tsx';
import { useFilters } from '../../domain/filter-bar.tsx';
import { protocolColumns } from '../../domain/protocols.tsx';
import { ReadingNotes, RefreshButton } from '../../domain/readings.tsx';
import {
  countFilters,
  filterColumns,
  nextPage,
  noProtocolFilter,
  type ProtocolFilter,
  type Shows,
  useProtocolList,
  useProtocolTable,
  type View,
} from '../../queries/protocols.ts';
import { type PlaceProps, useApp } from '../../state/store.tsx';
import { useSort } from '../../ui/data-table/columns.tsx';
import { DataTable, type TableHandle } from '../../ui/data-table/data-table.tsx';
import { useLatest } from '../../ui/hooks.ts';
import { lazily } from '../../ui/lazy.tsx';
import { Empty, Loading, Minor, Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { oneLine } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';

const ProtocolFilters = lazily(async () => (await import('./protocol-filters.tsx')).ProtocolFilters);

const useStyles = makeStyles({ more: { minWidth: 0, ...oneLine } });

export const ProtocolsPage = ({ text: initial = '' }: PlaceProps<'protocols'>) => {
  const [text, setText] = useState(initial);
  const [filter, setFilter] = useState(noProtocolFilter);
  const filters = useFilters(countFilters(filter), () => setFilter(noProtocolFilter));
  const { count, commands, table } = useProtocols(text.trim(), filter);
  return (
    <Page
      title={t('protocols.title')}
      layout="fill"
      count={count ?? ''}
      actions={
        <>
          {filters.button}
          <SearchField label={t('protocols.search')} value={text} onChange={setText} />
          {commands}
        </>
      }
    >
      {filters.barOf(<ProtocolFilters filter={filter} onChange={setFilter} />)}
      {table}
    </Page>
  );
};

type NoProtocolsProps = {
  readonly shows: Shows;
  readonly filter: ProtocolFilter;
  readonly text: string;
  readonly isUnknown: boolean;
};

const NoProtocols = ({ shows, filter, text, isUnknown }: NoProtocolsProps) => {
  if (shows === 'filtered') {
    const hasWords = filterColumns.some((column) => filter[column].trim() !== '');
    const hint = hasWords ? t('protocols.noFilteredHint') : text && t('protocols.noMatchHint');
    return <Empty title={t('protocols.noFiltered')} hint={hint || undefined} />;
  }
  if (isUnknown) return <Loading label={t('protocols.loading')} />;
  return shows === 'search' ? (
    <Empty title={t('protocols.noMatch', { query: text })} hint={t('protocols.noMatchHint')} />
  ) : (
    <Empty title={t('protocols.empty')} />
  );
};

/**
 * Returns the note that the filters cover only `cached` of `total` protocols, or that the order covers only the
 * protocols loaded so far; undefined without filters or an order.
 */
const partNote = (shows: Shows, isSorted: boolean, cached: number, total: number): string | undefined => {
  if (shows === 'filtered') return t('protocols.among', { loaded: cached, count: total });
  return isSorted ? t('protocols.sorted') : undefined;
};

const protocolKey = ({ InspectionProtocolId }: CachedProtocol): string => InspectionProtocolId;

type Service = Omit<ReturnType<typeof useProtocolList>, 'look'>;

/**
 * Returns a text that says how many results a search has found, and where. Returns undefined, so that the usual count
 * is shown, once all of the service's matches are loaded, or if the service has more matches than are shown.
 */
const foundText = (
  service: Service,
  found: { readonly count: number; readonly loaded: string },
): string | undefined => {
  const { list, isComplete, busy, error, readsAll } = service;
  if (error !== undefined) return t('protocols.found.here', found);
  if (list?.source === 'cache') return t('protocols.found.offline', found);
  if (list === undefined || (busy && !readsAll)) return t('protocols.found.asking', found);
  return isComplete || list.total > found.count ? undefined : t('protocols.found.part', found);
};

type Shown = Pick<View, 'shows' | 'rows' | 'cached'> & { readonly isSorted: boolean };

/** Describes which part of the service's list is in the table. */
const coverageOf = (service: Service, { shows, rows, cached, isSorted }: Shown) => {
  const { list, isComplete, busy, error, readsAll } = service;
  const lacking = list !== undefined && nextPage(list, { shows, rows, cached }) !== undefined ? list.total : undefined;
  const isSearch = shows === 'search';
  const of = shows === 'filtered' ? undefined : lacking;
  const found = isSearch
    ? foundText(service, { count: rows, loaded: t('count.protocol', { count: cached }) })
    : undefined;
  const note = lacking === undefined ? undefined : partNote(shows, isSorted, cached, lacking);
  const hasMore = isSearch && list?.source === 'service' && !isComplete && (!busy || readsAll);
  const isUnknown = list === undefined && error === undefined;
  return {
    /** A text that says how many protocols are shown, and how many there are; for a search, how far it has got. */
    count:
      found ??
      (of === undefined ? t('count.protocol', { count: rows }) : t('protocols.loaded', { loaded: rows, count: of })),
    /**
     * The number of protocols that the service has; undefined if it is unknown, if all are loaded, or for filtered
     * rows.
     */
    of,
    /**
     * A text that says that the filters or the order cover only the protocols loaded so far; undefined if they cover
     * all.
     */
    note,
    hasMore,
    isUnknown,
    isPart: of !== undefined || note !== undefined || hasMore || isUnknown,
  };
};

/**
 * Returns how many records could not be read. For a search: those in the pages read so far. For filtered rows: 0,
 * because the number is unknown. Otherwise: those in the pages read so far, or those found when everything was last
 * made available offline, whichever are more.
 */
const unreadableOf = ({ list }: Service, { shows }: Shown, walked: number): number =>
  shows === 'filtered' ? 0 : Math.max(shows === 'search' ? 0 : walked, list?.unreadable ?? 0);

const showsOf = (filter: ProtocolFilter, text: string, isSorted: boolean): Shows => {
  if (countFilters(filter) > 0) return 'filtered';
  if (text !== '') return 'search';
  return isSorted ? 'sorted' : 'list';
};

/**
 * Renders the table of the protocols, its count and its commands. The table shows the offline data immediately.
 * Meanwhile, the service's list is read as far as the table needs it, and its rows appear in the table.
 */
const useProtocols = (text: string, filter: ProtocolFilter) => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const [sort, setSort] = useSort('protocols');
  const column = ProtocolColumn.safeParse(sort?.by).data;
  const order = column && sort && { sort: column, descending: sort.descending };
  const found = useProtocolTable(text, filter, order);
  const { count: rows = 0, result, error, reload, onRange } = found;
  const cached = result?.cached ?? 0;

  const shows = showsOf(filter, text, order !== undefined);
  const range = useRef({ first: 0, last: 0 });
  const service = useProtocolList(text, () => result && { shows, rows, cached, ...range.current });
  const onView = useLatest((first: number, last: number) => {
    range.current = { first, last };
    onRange(first, last);
    service.look();
  });
  const source = useMemo(() => ({ ...found, onRange: onView }), [found, onView]);
  const openRow = useLatest((protocol: CachedProtocol) => open({ name: 'protocol', protocol }));
  const handle = useRef<TableHandle>(null);

  const { list, busy, readsAll, setReadsAll } = service;
  if (result === undefined)
    return { table: error ? <Failure error={error} onRetry={reload} /> : <Loading label={t('protocols.loading')} /> };
  if (cached === 0 && service.error !== undefined)
    return { table: <Failure error={service.error} onRetry={service.reload} /> };
  const shown = { shows, rows, cached, isSorted: order !== undefined };
  const coverage = coverageOf(service, shown);
  const { count, of, note, hasMore, isPart } = coverage;
  const commands = (
    <>
      <RefreshButton busy={busy} onClick={service.reload} />
      <Button
        appearance="subtle"
        icon={<ArrowDownload20Regular />}
        disabledFocusable={rows === 0}
        onClick={() => handle.current?.exportRows()}
      >
        {t('common.table.export')}
      </Button>
      {note !== undefined && (
        <Minor className={styles.more} title={note}>
          {note}
        </Minor>
      )}
      {(note !== undefined || hasMore) && (
        <Button size="small" onClick={() => setReadsAll(!readsAll)}>
          {readsAll ? t('protocols.stopReading') : t('protocols.readAll')}
        </Button>
      )}
    </>
  );
  const failure = service.error && <ErrorMessage error={service.error} />;
  const table = (
    <>
      {list !== undefined && !busy && <ReadingNotes reading={list} />}
      {service.error !== undefined && <FailureBar error={service.error} onRetry={service.reload} />}
      <DataTable
        id="protocols"
        label={t('protocols.title')}
        columns={protocolColumns}
        rows={source}
        rowKey={protocolKey}
        total={list === undefined || shows === 'filtered' ? rows : Math.max(rows, list.total)}
        unreadable={unreadableOf(service, shown, result.unreadable)}
        searched={text}
        busy={busy}
        sort={sort}
        onSort={setSort}
        open={openRow}
        handle={handle}
        rest={isPart ? { of, isReading: readsAll, read: setReadsAll, failure } : undefined}
        empty={rows > 0 ? undefined : <NoProtocols shows={shows} filter={filter} text={text} {...coverage} />}
      />
    </>
  );
  return { count, commands, table };
};
