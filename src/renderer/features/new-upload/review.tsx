import {
  makeStyles,
  mergeClasses,
  Tab,
  TabList,
  Toast,
  Toaster,
  ToastTitle,
  tokens,
  useToastController,
} from '@fluentui/react-components';
import { useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Draft, type DraftCandidate, DraftFilter, type DraftRow } from '../../../contract/drafts.ts';
import { Failure } from '../../domain/errors/failure.tsx';
import { type RowsQuestion, useDraftRows } from '../../queries/drafts.ts';
import { useReport } from '../../state/use-report.ts';
import type { TableHandle } from '../../ui/data-table/data-table.tsx';
import { useSelection } from '../../ui/data-table/use-selection.ts';
import { Loading } from '../../ui/loading.tsx';
import { Message } from '../../ui/message.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { t } from '../../words/words.ts';
import { nextUndecided } from './next-undecided.ts';
import { NoRows, ReviewTable } from './review-table.tsx';
import { RowPanel } from './row-panel.tsx';
import { rowName, targetText } from './row-words.ts';
import { StartBar } from './start-bar.tsx';
import { type Changed, useChoices } from './use-choices.ts';
import { useDoubts } from './use-doubts.ts';
import { usePanelRow } from './use-panel-row.ts';
import { useUndoKey } from './use-undo-key.ts';

const useStyles = makeStyles({
  filters: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
  tabs: { flex: '1 1 420px', flexWrap: 'wrap', marginInlineStart: `calc(-1 * ${tokens.spacingHorizontalM})` },
  work: {
    flex: '1 1 auto',
    display: 'flex',
    minHeight: '300px',
    '@media (max-height: 399px)': { minHeight: '216px' },
    gap: tokens.spacingHorizontalL,
  },
  table: { flex: '1 1 0', minWidth: 0, display: 'flex', flexDirection: 'column' },
  // Beside the panel it has fewer columns, which need less room.
  beside: { '@media (min-width: 1100px)': { '& table': { minWidth: 0 } } },
  side: {
    position: 'relative',
    flex: '0 0 380px',
    '@media (max-width: 1099px)': { flex: '0 0 0', position: 'static' },
  },
});

const filterKeys = {
  undecided: 'undecided',
  matched: 'matched',
  'left-out': 'leftOut',
  problems: 'problems',
  all: 'all',
} as const satisfies Readonly<Record<DraftFilter, string>>;

const filters = ['undecided', 'matched', 'left-out', 'problems', 'all'] as const;

const countOf = ({ counts }: Draft, filter: DraftFilter): number =>
  filter === 'all' ? counts.total : counts[filterKeys[filter]];

const everything: RowsQuestion = { filter: 'all', text: '', sort: undefined, descending: false };

/** The folders of the draft, where each goes, and what can be done about it. */
export const Review = ({ draft }: { readonly draft: Draft }) => {
  const styles = useStyles();
  const toasterId = useId();
  const { dispatchToast } = useToastController(toasterId);
  const [question, ask] = useState(everything);
  const { held, rowAt, onRange, read, error, reload } = useDraftRows(question);
  const [active, setActive] = useState(0);
  const [opened, setOpened] = useState(false);
  const table = useRef<TableHandle>(null);
  const input = useRef<HTMLInputElement>(null);
  const startId = useId();
  const selection = useSelection({
    read,
    idOf: ({ rowId }) => rowId,
    total: held?.total ?? 0,
    onError: useReport(),
    rowLabel: rowName,
    allLabel: t('newUpload.row.label'),
  });
  const choices = useChoices((what) =>
    dispatchToast(
      <Toast>
        <ToastTitle>{t('newUpload.undo.done', { what })}</ToastTitle>
      </Toast>,
      { intent: 'info' },
    ),
  );
  const doubts = useDoubts(draft);
  useUndoKey(() => draft.canUndo && void choices.undo());
  const isReady = draft.phase === 'ready' && held !== undefined && held.total > 0;
  useEffect(() => {
    // The keyboard goes on where the decisions are, unless the person is elsewhere on the page.
    if (isReady && document.activeElement?.matches('body, h1')) table.current?.focus(0);
  }, [isReady]);
  const report = useReport();
  /** The rows that were decided in the panel, until it has gone on to the next one. */
  const [leaving, setLeaving] = useState<readonly number[]>([]);
  const row = usePanelRow(rowAt(active), held?.total === 0, leaving.length > 0);
  const isBeside = opened && row !== undefined;
  const dragged = useRef<DraftRow>(undefined);

  /** What a choice for `of` is for: all selected rows if it is one of several. */
  const changedWith = (of: DraftRow, others: readonly number[] = []): Changed => ({
    row: of,
    rowIds: selection.ids.size > 1 && selection.has(of) ? [...selection.ids] : [of.rowId, ...others],
  });
  const goOn = async (from: DraftRow, changing: Promise<boolean>): Promise<void> => {
    setLeaving((rowIds) => [...rowIds, from.rowId]);
    try {
      if (!(await changing)) return;
      selection.none();
      const next = await nextUndecided(read, active);
      if (next === undefined) {
        // What would be in the panel is a folder that nobody asked for.
        document.getElementById(startId)?.focus();
        setOpened(false);
      } else {
        table.current?.show(next);
        input.current?.focus();
      }
    } finally {
      setLeaving((rowIds) => rowIds.filter((rowId) => rowId !== from.rowId));
    }
  };
  /** Goes on to the next row that needs a decision once `change` is made. */
  const decide = (from: DraftRow, change: () => Promise<boolean>): void => {
    // Pressed twice, a key must not change the row that is being left.
    if (!leaving.includes(from.rowId)) goOn(from, change()).catch(report);
  };
  const assign = (changed: Changed, to: DraftCandidate): Promise<boolean> =>
    choices.assign(changed, to.AssignmentId, targetText(to));
  const close = (): void => {
    setOpened(false);
    table.current?.focus(active);
  };
  return (
    <PageFill>
      {doubts?.map(({ title, text }) => (
        <div key={`${title} ${text}`} role="alert">
          <Message intent="warning" title={title}>
            {text}
          </Message>
        </div>
      ))}
      <div className={styles.filters}>
        <TabList
          className={styles.tabs}
          size="small"
          aria-label={t('newUpload.filter.label')}
          selectedValue={question.filter}
          onTabSelect={(_, { value }) => {
            selection.none();
            ask({ ...question, filter: DraftFilter.parse(value) });
          }}
        >
          {filters.map((filter) => (
            <Tab key={filter} value={filter}>
              {t('uploads.filterCount', {
                name: t(`newUpload.filter.${filterKeys[filter]}`),
                count: countOf(draft, filter),
              })}
            </Tab>
          ))}
        </TabList>
        <SearchField
          label={t('newUpload.filter.search')}
          value={question.text}
          onChange={(_, { value }) => ask({ ...question, text: value })}
        />
      </div>
      {held === undefined ? (
        error === undefined ? (
          <Loading label={t('newUpload.row.loading')} />
        ) : (
          <Failure error={error} onRetry={reload} />
        )
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the key closes what is in it.
        <div className={styles.work} onKeyDown={({ key }) => key === 'Escape' && opened && close()}>
          <div className={mergeClasses(styles.table, isBeside && styles.beside)}>
            <ReviewTable
              handle={table}
              shownId={isBeside ? row.rowId : undefined}
              isMatched={draft.phase === 'ready'}
              total={held.total}
              question={held.question}
              rowAt={rowAt}
              onRange={onRange}
              selection={selection}
              onActive={setActive}
              onOpen={() => {
                flushSync(() => setOpened(true));
                // Also after a click: what the panel says of Enter and Space holds at once.
                input.current?.focus();
              }}
              onTakePart={(of, takes) => void choices.takePart(changedWith(of), takes)}
              onDrag={(of) => {
                dragged.current = of;
                setOpened(true);
              }}
              order={question.sort && { by: question.sort, descending: question.descending }}
              onOrder={({ by, descending }) => ask({ ...question, sort: by, descending })}
              empty={
                <NoRows
                  draft={draft}
                  question={question}
                  onShowAll={() => ask({ ...question, filter: 'all', text: '' })}
                />
              }
            />
          </div>
          {isBeside && (
            <div className={styles.side}>
              <RowPanel
                row={row}
                selected={selection.has(row) ? selection.ids.size : 1}
                input={input}
                onChoose={(to, alike) => decide(row, () => assign(changedWith(row, alike), to))}
                onDrop={(to) => void (dragged.current && assign(changedWith(dragged.current), to))}
                onTakePart={(takes) => decide(row, () => choices.takePart(changedWith(row), takes))}
                onClash={(onClash, paths) => void choices.setClash(row.rowId, onClash, paths)}
                onClose={close}
              />
            </div>
          )}
        </div>
      )}
      <StartBar
        draft={draft}
        startId={startId}
        onUndo={() => void choices.undo()}
        onStarted={() => ask(everything)}
        isDoubtful={doubts && doubts.length > 0}
      />
      <Toaster toasterId={toasterId} position="bottom-start" limit={1} />
    </PageFill>
  );
};
