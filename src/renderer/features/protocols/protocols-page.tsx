import { Button, makeStyles, Text, ToggleButton, tokens } from '@fluentui/react-components';
import { ArrowDownload20Regular, Filter20Filled, Filter20Regular } from '@fluentui/react-icons';
import { memo, Suspense, useMemo, useRef, useState } from 'react';
import type { ErrorData } from '../../../contract/errors.ts';
import { ProtocolColumn } from '../../../contract/protocols.ts';
import type { CachedProtocol } from '../../../contract/resources.ts';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import { Failure, FailureBar } from '../../domain/errors.tsx';
import { protocolColumns, severityName } from '../../domain/protocols.tsx';
import { ReadingNotes, RefreshButton } from '../../domain/readings.tsx';
import { nextPage, type Shows, useProtocolList, useProtocolTable } from '../../queries/protocols.ts';
import { useAction, useApp, useDesk, useSort } from '../../state/context.tsx';
import type { Month } from '../../state/places.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { useDialog } from '../../ui/dialogs.tsx';
import { useLatest, useOnChange } from '../../ui/hooks.ts';
import { later } from '../../ui/later.ts';
import { Empty, Loading, Page, PageFill } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { formatMonth } from '../../words/dates.ts';
import { useWordsRevision } from '../../words/formats.ts';
import { t } from '../../words/words.ts';
import {
  countFilters,
  filterColumns,
  narrowing,
  noFilter,
  type ProtocolFilter,
  type Scope,
} from './protocol-filter.ts';

const ProtocolFilterBar = later(async () => (await import('./protocol-filter-bar.tsx')).ProtocolFilterBar);

type ProtocolsPageProps = {
  readonly month?: Month | undefined;
  readonly severity?: string | undefined;
  /** The initial search. */
  readonly searched?: string | undefined;
};

const scopeText = ({ month, severity }: Scope): string | undefined => {
  if (month !== undefined) return t('protocols.which.month', { month: formatMonth(month.value, 'long') });
  return severity === undefined ? undefined : t('protocols.which.severity', { severity: severityName(severity) });
};

/** The compiled inspection protocols: all, those of one month, or those with points of one severity. */
export const ProtocolsPage = ({ month, severity, searched = '' }: ProtocolsPageProps) => {
  const open = useApp((state) => state.open);
  const [text, setText] = useState(searched);
  const [filter, setFilter] = useState(noFilter);
  const [filtering, setFiltering] = useState(false);
  const scope = useMemo(() => ({ month, severity }), [month, severity]);
  const filters = countFilters(filter);
  return (
    <Page
      title={t('protocols.title')}
      subtitle={scopeText(scope)}
      actions={
        <>
          {scopeText(scope) !== undefined && (
            <Button appearance="subtle" onClick={() => open({ name: 'protocols' })}>
              {t('protocols.which.all')}
            </Button>
          )}
          <ToggleButton
            appearance="subtle"
            icon={filters > 0 ? <Filter20Filled /> : <Filter20Regular />}
            checked={filtering}
            onClick={() => setFiltering(!filtering)}
          >
            {filters > 0 ? t('protocols.filter.count', { count: filters }) : t('protocols.filter.label')}
          </ToggleButton>
          <SearchField label={t('protocols.search')} value={text} onChange={(_, { value }) => setText(value)} />
        </>
      }
    >
      <PageFill>
        {filtering && (
          <Suspense>
            <ProtocolFilterBar filter={filter} hasMonth={month !== undefined} onChange={setFilter} />
          </Suspense>
        )}
        <ProtocolTable text={text.trim()} filter={filter} scope={scope} />
      </PageFill>
    </Page>
  );
};

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
    const { protocolSheet } = await import('./save-protocols.tsx');
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

const SavePartDialog = later(async () => (await import('./save-protocols.tsx')).SavePartDialog);

const useProtocolSummaryStyles = makeStyles({
  summary: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: `0 ${tokens.spacingHorizontalS}`,
    minHeight: '32px',
  },
  more: {
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: tokens.colorNeutralForeground3,
  },
});

type ProtocolSummaryProps = {
  /** What a search has found so far, and in what; undefined if `rows` says it all. */
  readonly found: string | undefined;
  readonly rows: number;
  /** How many the service has; undefined if that is not known or all are loaded. */
  readonly of: number | undefined;
  readonly busy: boolean;
  readonly onRefresh: () => void;
  /** Saves the table and returns the file's path and rows; undefined if the person chose no file. */
  readonly onSave: () => Promise<Saved | undefined> | undefined;
  /** Says that filters or the order cover only the protocols loaded so far; with a button to load all. */
  readonly note: string | undefined;
  /** Whether a search has more matches than are loaded. */
  readonly hasMore: boolean;
  /** Whether the service has not said yet how long the list is. */
  readonly isUnknown: boolean;
  /** Why the list could not be read on. */
  readonly error: ErrorData | undefined;
  readonly readsAll: boolean;
  readonly onRead: (readsAll: boolean) => void;
};

type Saved = { readonly path: string; readonly rows: number };

/** A list that is loaded in part is saved in part. `of`: see the props. */
const savedText = ({ path, rows }: Saved, of: number | undefined): string =>
  of === undefined || rows >= of
    ? t('protocols.saved', { path })
    : t('protocols.savedPart', { path, loaded: rows, count: of });

const PlainSummary = (props: ProtocolSummaryProps) => {
  const { found, rows, of, busy, onRefresh, onSave, note, hasMore, isUnknown, error, readsAll, onRead } = props;
  const styles = useProtocolSummaryStyles();
  useWordsRevision();
  const part = of === undefined ? undefined : { loaded: rows, count: of };
  const [saved, setSaved] = useState<Saved>();
  const save = useAction(async () => setSaved(await onSave()));
  // The file has other rows than the table from then on.
  useOnChange(`${rows} of ${of}`, () => setSaved(undefined));
  const said = saved && savedText(saved, of);
  const asking = useDialog<true>();
  const isPart = part !== undefined || hasMore || note !== undefined || isUnknown;
  return (
    <div className={styles.summary}>
      <span role="status">
        {found ?? (part === undefined ? t('count.protocol', { count: rows }) : t('protocols.loaded', part))}
      </span>
      <RefreshButton busy={busy} onClick={onRefresh} />
      <Button
        appearance="subtle"
        icon={<ArrowDownload20Regular />}
        disabledFocusable={save.busy || rows === 0}
        title={t('protocols.savesRows', { count: rows })}
        onClick={({ currentTarget }) => (isPart ? asking.open(currentTarget, true) : save.run())}
      >
        {t('protocols.save')}
      </Button>
      {(note !== undefined || hasMore) && (
        <>
          {note !== undefined && (
            <Text className={styles.more} title={note}>
              {note}
            </Text>
          )}
          <Button size="small" onClick={() => onRead(!readsAll)}>
            {readsAll ? t('protocols.stopReading') : t('protocols.readAll')}
          </Button>
        </>
      )}
      {asking.about && (
        <Suspense>
          <SavePartDialog
            rows={rows}
            of={of}
            error={error}
            readsAll={readsAll}
            isComplete={!isPart}
            onRead={onRead}
            onSave={() => {
              asking.close();
              save.run();
            }}
            onClose={asking.close}
          />
        </Suspense>
      )}
      <span role="status" className={styles.more} title={said}>
        {said}
      </span>
    </div>
  );
};

/** The number of protocols, and the actions of the table. Memoized: it does not render with every letter. */
export const ProtocolSummary = memo(PlainSummary);
