import { Button, makeStyles } from '@fluentui/react-components';
import { ArrowDownload20Regular } from '@fluentui/react-icons';
import { memo, type ReactNode, useRef, useState } from 'react';
import { ProtocolColumn } from '../../../contract/protocols.ts';
import type { CachedProtocol } from '../../../contract/resources.ts';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import { ErrorMessage, Failure, FailureBar } from '../../domain/errors.tsx';
import { FilterButton } from '../../domain/filter-bar.tsx';
import { protocolColumns } from '../../domain/protocols.tsx';
import { ReadingNotes, RefreshButton } from '../../domain/readings.tsx';
import { nextPage, type Shows, useProtocolList, useProtocolTable, type View } from '../../queries/protocols.ts';
import { useApp } from '../../state/context.tsx';
import type { PlaceProps } from '../../state/places.ts';
import { useSort } from '../../ui/data-table/columns.tsx';
import { DataTable, type TableHandle } from '../../ui/data-table/data-table.tsx';
import type { Rest } from '../../ui/data-table/export-dialog.tsx';
import { useLatest } from '../../ui/hooks.ts';
import { later } from '../../ui/later.tsx';
import { Empty, Loading, Minor, Page, PageFill } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { oneLine } from '../../ui/styles.ts';
import { useWordsRevision } from '../../words/formats.ts';
import { t } from '../../words/words.ts';
import { countFilters, filterColumns, narrowing, noFilter, type ProtocolFilter } from './protocol-filter.ts';

const ProtocolFilterBar = later(async () => (await import('./protocol-filter-bar.tsx')).ProtocolFilterBar);

/** The compiled inspection protocols. */
export const ProtocolsPage = ({ text: initial = '' }: PlaceProps<'protocols'>) => {
  const [text, setText] = useState(initial);
  const [filter, setFilter] = useState(noFilter);
  const [filtering, setFiltering] = useState(false);
  const { count, commands, table } = useProtocols({ text: text.trim(), filter });
  return (
    <Page
      title={t('protocols.title')}
      count={count ?? ''}
      actions={
        <>
          <FilterButton count={countFilters(filter)} shown={filtering} onToggle={setFiltering} />
          <SearchField label={t('protocols.search')} value={text} onChange={setText} />
          {commands}
        </>
      }
    >
      <PageFill>
        {filtering && <ProtocolFilterBar filter={filter} onChange={setFilter} />}
        {table}
      </PageFill>
    </Page>
  );
};

type NoProtocolsProps = {
  readonly shows: Shows;
  readonly filter: ProtocolFilter;
  readonly text: string;
  readonly isUnknown: boolean;
};

/** Why there are no rows. */
const NoProtocols = ({ shows, filter, text, isUnknown }: NoProtocolsProps) => {
  if (shows === 'filtered') {
    // Filters match only the beginnings of words.
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

/** Says that filters and order cover only `cached` of `total` protocols. */
const partNote = (shows: Shows, isSorted: boolean, cached: number, total: number): string | undefined => {
  if (shows === 'filtered') return t('protocols.among', { loaded: cached, count: total });
  return isSorted ? t('protocols.sorted') : undefined;
};

const protocolKey = ({ InspectionProtocolId }: CachedProtocol): string => InspectionProtocolId;

type Service = Omit<ReturnType<typeof useProtocolList>, 'look'>;

/** The results of a search and its scope; undefined once all of the service's matches are loaded or counted. */
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

/** How much of the service's list the table has. */
type Coverage = {
  readonly rows: number;
  /** How many the service has; undefined if that is not known or all are loaded. */
  readonly of: number | undefined;
  /** The progress of a search and its scope; undefined if `rows` shows everything. */
  readonly found: string | undefined;
  /** Says that filters or the order cover only the protocols loaded so far; with a button to load all. */
  readonly note: string | undefined;
  /** Whether a search has more matches than are loaded. */
  readonly hasMore: boolean;
  /** Whether the length of the service's list is still unknown. */
  readonly isUnknown: boolean;
};

/** The number of protocols that are shown, and of how many. */
const countText = ({ found, rows, of }: Coverage): string =>
  found ??
  (of === undefined ? t('count.protocol', { count: rows }) : t('protocols.loaded', { loaded: rows, count: of }));

type Shown = Pick<View, 'shows' | 'rows' | 'cached'> & { readonly isSorted: boolean };

const coverageOf = (service: Service, { shows, rows, cached, isSorted }: Shown): Coverage => {
  const { list, isComplete, busy, error, readsAll } = service;
  const lacking = list !== undefined && nextPage(list, { shows, rows, cached }) !== undefined ? list.total : undefined;
  const isSearch = shows === 'search';
  return {
    rows,
    of: shows === 'filtered' ? undefined : lacking,
    found: isSearch ? foundText(service, { count: rows, loaded: t('count.protocol', { count: cached }) }) : undefined,
    note: lacking === undefined ? undefined : partNote(shows, isSorted, cached, lacking),
    hasMore: isSearch && list?.source === 'service' && !isComplete && (!busy || readsAll),
    isUnknown: list === undefined && error === undefined,
  };
};

/** How many records could not be read. The last complete walk counted them for the whole list; for filtered rows it is unknown. */
const unreadableOf = ({ list }: Service, { shows }: Shown, walked: number): number =>
  shows === 'filtered' ? 0 : Math.max(shows === 'search' ? 0 : walked, list?.unreadable ?? 0);

/** How the rest of the list is read; undefined if all of it is loaded. */
const restOf = (
  { error, readsAll, setReadsAll }: Service,
  { of, note, hasMore, isUnknown }: Coverage,
): Rest | undefined =>
  of === undefined && note === undefined && !hasMore && !isUnknown
    ? undefined
    : { of, isReading: readsAll, read: setReadsAll, failure: error && <ErrorMessage error={error} /> };

type Wanted = {
  readonly text: string;
  readonly filter: ProtocolFilter;
};

type Protocols = {
  /** How many there are, in words. */
  readonly count?: string;
  readonly commands?: ReactNode;
  readonly table: ReactNode;
};

/**
 * The protocols of the offline data, immediately and in any order. Behind them the service's list is read as far as the
 * table needs it, and its rows appear in the table.
 */
const useProtocols = ({ text: typed, filter }: Wanted): Protocols => {
  const open = useApp((state) => state.open);
  const [sort, setSort] = useSort('protocols');
  const text = typed.slice(0, LONGEST_SEARCH);
  const column = ProtocolColumn.safeParse(sort?.by).data;
  const order = column && sort && { sort: column, descending: sort.descending };
  const query = { ...narrowing(text, filter), ...order };
  const { held, rowAt, error, onRange, read, reload } = useProtocolTable(query);
  const rows = held?.total ?? 0;
  const cached = held?.answer.cached ?? 0;

  const shows: Shows =
    countFilters(filter) > 0 ? 'filtered' : text !== '' ? 'search' : order === undefined ? 'list' : 'sorted';
  const range = useRef({ first: 0, last: 0 });
  const service = useProtocolList(text, () => held && { shows, rows, cached, ...range.current });
  const onView = useLatest((first: number, last: number) => {
    range.current = { first, last };
    onRange(first, last);
    service.look();
  });
  const openRow = useLatest((protocol: CachedProtocol) => open({ name: 'protocol', protocol }));
  const handle = useRef<TableHandle>(null);

  const { list, busy } = service;
  if (error !== undefined) return { table: <Failure error={error} onRetry={reload} /> };
  if (held === undefined) return { table: <Loading label={t('protocols.loading')} /> };
  if (cached === 0 && service.error !== undefined)
    return { table: <Failure error={service.error} onRetry={service.reload} /> };
  const shown = { shows, rows, cached, isSorted: order !== undefined };
  const coverage = coverageOf(service, shown);
  const commands = (
    <ProtocolCommands
      {...coverage}
      busy={busy}
      readsAll={service.readsAll}
      onRefresh={service.reload}
      onRead={service.setReadsAll}
      onExport={() => handle.current?.exportRows()}
    />
  );
  const table = (
    <>
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
        unreadable={unreadableOf(service, shown, held.answer.unreadable)}
        question={held.question}
        searched={text}
        busy={busy}
        sort={sort}
        onSort={setSort}
        onRange={onView}
        open={openRow}
        handle={handle}
        rest={restOf(service, coverage)}
        empty={rows > 0 ? undefined : <NoProtocols shows={shows} filter={filter} text={text} {...coverage} />}
      />
    </>
  );
  return { count: countText(coverage), commands, table };
};

const useProtocolCommandsStyles = makeStyles({
  more: { minWidth: 0, ...oneLine },
});

type ProtocolCommandsProps = Pick<Coverage, 'rows' | 'note' | 'hasMore'> &
  Pick<Service, 'busy' | 'readsAll'> & {
    readonly onRefresh: () => void;
    readonly onExport: () => void;
    readonly onRead: (readsAll: boolean) => void;
  };

const PlainCommands = (props: ProtocolCommandsProps) => {
  const { rows, busy, onRefresh, onExport, note, hasMore, readsAll, onRead } = props;
  const styles = useProtocolCommandsStyles();
  useWordsRevision();
  return (
    <>
      <RefreshButton busy={busy} onClick={onRefresh} />
      <Button appearance="subtle" icon={<ArrowDownload20Regular />} disabledFocusable={rows === 0} onClick={onExport}>
        {t('common.table.export')}
      </Button>
      {(note !== undefined || hasMore) && (
        <>
          {note !== undefined && (
            <Minor className={styles.more} title={note}>
              {note}
            </Minor>
          )}
          <Button size="small" onClick={() => onRead(!readsAll)}>
            {readsAll ? t('protocols.stopReading') : t('protocols.readAll')}
          </Button>
        </>
      )}
    </>
  );
};

/** The actions of the table; memoised, so that typing in the search field does not render them again. */
const ProtocolCommands = memo(PlainCommands);
