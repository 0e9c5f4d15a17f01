import {
  Button,
  Checkbox,
  makeStyles,
  mergeClasses,
  Text,
  Toast,
  ToastBody,
  Toaster,
  ToastTitle,
  tokens,
  useToastController,
} from '@fluentui/react-components';
import { Checkmark16Regular, Warning16Regular } from '@fluentui/react-icons';
import { compact, uniqBy } from 'es-toolkit';
import { Activity, type KeyboardEvent, type Ref, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Draft, DraftCandidate, DraftFilter, DraftRow, DraftWarning } from '../../../contract/drafts.ts';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import { shownPath, visibleText } from '../../../contract/text.ts';
import type { OnClash } from '../../../contract/uploads.ts';
import { statusName } from '../../domain/assignments/assignments.tsx';
import { useCallQuery, useCalls } from '../../queries/query.tsx';
import { useDesk, useReport } from '../../state/store.tsx';
import type { TableHandle } from '../../ui/data-table/data-table.tsx';
import { useSelection } from '../../ui/data-table/use-selection.ts';
import { useOnChange, useWindowEvent } from '../../ui/hooks.ts';
import { isShortcut } from '../../ui/is-mac.ts';
import { lazily } from '../../ui/lazy.tsx';
import { Message } from '../../ui/message.tsx';
import { Empty, Line, PageFill } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { floating, SidePanel } from '../../ui/side-panel.tsx';
import { aboveBar, bareList, folded } from '../../ui/styles.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { keyOf, t } from '../../words/words.ts';
import { CandidateBox } from './candidate-box.tsx';
import { ClashList } from './clash-list.tsx';
import { Renames } from './renames.tsx';
import {
  CertaintyBadge,
  isEmptyRow,
  mayAccept,
  ReviewTable,
  type RowsQuestion,
  rowCertainty,
  rowName,
  targetText,
  useDraftRows,
  warningText,
} from './review-table.tsx';
import { StartBar } from './start-bar.tsx';

/** The rows of a change. `row`: the row whose name messages contain. */
type Changed = { readonly row: DraftRow; readonly rowIds: readonly number[] };

/**
 * The changes of a draft. Each function resolves once the rows on screen show the change; to false if the change
 * failed, or was not made because another one is in progress.
 */
type Choices = {
  readonly assign: (changed: Changed, AssignmentId: string, name: string) => Promise<boolean>;
  /** Assigns rows to the assignments that they propose; see `drafts.accept`. */
  readonly accept: (rowIds: readonly number[], onDone: (done: Accepted) => void) => Promise<boolean>;
  readonly setRows: (changed: Changed, isIncluded: boolean) => Promise<boolean>;
  /** Includes or leaves out the files `paths` of a row; without `paths`, all its files. */
  readonly setFiles: (row: DraftRow, isIncluded: boolean, paths?: readonly string[]) => Promise<boolean>;
  readonly setClash: (rowId: number, onClash: OnClash, paths?: readonly string[]) => Promise<boolean>;
  readonly undo: () => Promise<boolean>;
};

/**
 * Returns functions that change a draft, one change at a time. `onUndone` is called with a description of the change
 * that was undone.
 */
export const useChoices = (onUndone: (what: string) => void): Choices => {
  const { drafts } = useDesk();
  const report = useReport();
  const [done] = useState<string[]>([]);
  const running = useRef<{ readonly of: string; readonly ended: Promise<boolean> }>(undefined);
  const perform = async (act: () => Promise<unknown>, what?: string): Promise<boolean> => {
    try {
      await act();
      if (what !== undefined) done.push(what);
      return true;
    } catch (error) {
      report(error);
      return false;
    } finally {
      running.current = undefined;
    }
  };
  /** Makes a change. `of` identifies it, so that a key that is held down does not make it twice. */
  const change = async (of: string, act: () => Promise<unknown>, what?: string): Promise<boolean> => {
    // The next row can be on screen before main has responded for the previous one. A change of the next row then
    // waits, instead of being ignored.
    if (running.current !== undefined && running.current.of !== of) await running.current.ended;
    if (running.current !== undefined) return false;
    const ended = perform(act, what);
    running.current = { of, ended };
    return ended;
  };
  return {
    assign: ({ row, rowIds }, AssignmentId, assignment) => {
      const count = rowIds.length;
      const what =
        count === 1
          ? t('newUpload.undo.assign', { folder: rowName(row), assignment })
          : t('newUpload.undo.assignMany', { count, assignment });
      return change(`${rowIds}`, () => drafts.assign({ rowIds, AssignmentId }), what);
    },
    accept: (rowIds, onDone) =>
      change(`${rowIds}`, async () => {
        const { accepted, left } = await drafts.accept({ rowIds });
        if (accepted > 0) done.push(t('newUpload.accept.done', { count: accepted }));
        onDone({ accepted, left });
      }),
    setRows: ({ row, rowIds }, isIncluded) => {
      const kind = isIncluded ? 'include' : 'leaveOut';
      const count = rowIds.length;
      const what =
        count === 1
          ? t(`newUpload.undo.${kind}`, { folder: rowName(row) })
          : t(`newUpload.undo.${kind}Many`, { count });
      return change(`${rowIds}`, () => drafts[kind]({ rowIds }), what);
    },
    setFiles: ({ rowId, leftOut }, isIncluded, paths) => {
      const [file] = paths ?? [];
      const what =
        file === undefined
          ? t('newUpload.undo.includeFiles', { count: leftOut.files })
          : t(`newUpload.undo.${isIncluded ? 'include' : 'leaveOut'}`, { folder: visibleText(shownPath(file)) });
      return change(`${rowId} ${paths}`, () => drafts.setFiles({ rowId, isIncluded, ...(paths && { paths }) }), what);
    },
    setClash: (rowId, onClash, paths) =>
      change(`${rowId}`, () => drafts.setClash({ rowId, onClash, ...(paths && { paths }) }), t('newUpload.undo.clash')),
    undo: async () => {
      const undone = await change('undo', () => drafts.undo());
      if (undone) onUndone(done.pop() ?? t('newUpload.undo.last'));
      return undone;
    },
  };
};

const useStyles = makeStyles({
  tabs: { flex: '1 1 420px', marginRight: 0 },
  // While the navigation is folded, the tabs need the room of the text.
  accept: { [folded]: { minWidth: 'auto' } },
  acceptText: { [folded]: { display: 'none' } },
  work: {
    position: 'relative',
    flex: '1 1 auto',
    display: 'flex',
    minHeight: '300px',
    '@media (max-height: 399px)': { minHeight: '216px' },
    gap: tokens.spacingHorizontalL,
  },
  table: { flex: '1 1 0', minWidth: 0, display: 'flex', flexDirection: 'column' },
  // Removes the table's minimum width next to the panel, where the table has fewer columns.
  beside: { '@media (min-width: 1100px)': { '& table': { minWidth: '0 !important' } } },
  side: {
    position: 'relative',
    flex: '0 0 380px',
    '@media (max-width: 1099px)': { flex: '0 0 0', position: 'static' },
  },
});

const filters = ['new', 'undecided', 'matched', 'left-out', 'problems', 'all'] as const;

const countOf = ({ counts }: Draft, filter: DraftFilter): number =>
  filter === 'all' ? counts.total : counts[keyOf(filter)];

const everything: RowsQuestion = { filter: 'all', text: '', sort: undefined, descending: false };

/**
 * Returns the question that selects the shown rows, and a function that sets it. The default filter is `all` until the
 * folders have been compared with their assignments. It is then `new` if some folders that are not left out have
 * nothing new.
 */
const useQuestion = ({ phase, comparing, counts }: Draft) => {
  const [asked, ask] = useState<RowsQuestion>();
  const [first, setFirst] = useState<DraftFilter>();
  const isKnown = phase === 'ready' && comparing === 0;
  useEffect(() => {
    if (isKnown) setFirst((before) => before ?? (counts.new + counts.leftOut < counts.total ? 'new' : 'all'));
  }, [isKnown, counts]);
  return [asked ?? { ...everything, filter: first ?? 'all' }, ask] as const;
};

/** Gives the table the focus once it is ready, unless the user has moved the focus elsewhere on the page. */
const useFirstFocus = (table: RefObject<TableHandle | null>, isReady: boolean): void =>
  useEffect(() => {
    if (isReady && document.activeElement?.matches('body, h1')) table.current?.focus(0);
  }, [table, isReady]);

/**
 * Shows the folders of the draft, their assignments, and the actions on them. `lacksTarget`: everything is to go to one
 * assignment that has not been chosen yet.
 */
export const Review = ({ draft, lacksTarget }: { readonly draft: Draft; readonly lacksTarget: boolean }) => {
  const styles = useStyles();
  const { drafts } = useDesk();
  const toasterId = useId();
  const { dispatchToast } = useToastController(toasterId);
  const [question, ask] = useQuestion(draft);
  const found = useDraftRows(question);
  const { count = 0, rowAt, read } = found;
  const [active, setActive] = useState(0);
  const [opened, setOpened] = useState<PanelPart>();
  const table = useRef<TableHandle>(null);
  const input = useRef<HTMLInputElement>(null);
  const [startId, undecidedId] = [useId(), useId()];
  const selection = useSelection({
    rows: found,
    idOf: ({ rowId }) => rowId,
    rowLabel: rowName,
    allLabel: t('newUpload.row.label'),
  });
  const choices = useChoices((what) => dispatchToast(<Undone what={what} />, { intent: 'info' }));
  const doubts = useDoubts(draft);
  useUndoKey(() => draft.canUndo && void choices.undo());
  useFirstFocus(table, draft.phase === 'ready' && count > 0);
  const report = useReport();
  /** The ids of the rows that were decided in the panel, until the panel shows the next row. */
  const [leaving, setLeaving] = useState<readonly number[]>([]);
  const row = usePanelRow(rowAt(active), found.count === 0, leaving.length > 0);
  const isBeside = opened !== undefined && row !== undefined;
  const dragged = useRef<DraftRow>(undefined);

  /**
   * Returns the rows that a choice for `of` changes. If `of` is one of several selected rows, these are all selected
   * rows, otherwise `of` and `others`.
   */
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
        const [shown, undecided] = await Promise.all([read(0, 1), drafts.rows({ filter: 'undecided', limit: 1 })]);
        // Closes the panel, which would otherwise show a folder that the user did not open.
        setOpened(undefined);
        // A start cannot be undone, so a second Enter must not start the upload while other filters have undecided
        // folders.
        if (undecided.total === 0) document.getElementById(startId)?.focus();
        else if (shown.total === 0) document.getElementById(undecidedId)?.focus();
        else table.current?.focus(active);
      } else {
        table.current?.show(next);
        input.current?.focus();
      }
    } finally {
      setLeaving((rowIds) => rowIds.filter((rowId) => rowId !== from.rowId));
    }
  };
  const decide = (from: DraftRow, change: () => Promise<boolean>): void => {
    // A key that is pressed twice must not change the row that the panel is leaving.
    if (!leaving.includes(from.rowId)) goOn(from, change()).catch(report);
  };
  const assign = (changed: Changed, to: DraftCandidate): Promise<boolean> =>
    choices.assign(changed, to.AssignmentId, targetText(to));
  const accept = (rowIds: readonly number[]): void => {
    const onDone = (done: Accepted) => dispatchToast(<AcceptedNote {...done} />, { intent: 'info' });
    void choices.accept(rowIds, onDone).then((isDone) => isDone && selection.none());
  };
  const open = (): void => {
    flushSync(() => setOpened('assignment'));
    // The field gets the focus even after a click, so that the keys which the panel explains work immediately.
    input.current?.focus();
  };
  const close = (): void => {
    setOpened(undefined);
    table.current?.focus(active);
  };
  const onKeyDown = ({ key, defaultPrevented }: KeyboardEvent): void => {
    // A dialog of the panel prevents the default of an Escape that it handles.
    if (key === 'Escape' && isBeside && !defaultPrevented) close();
  };
  return (
    <PageFill>
      <Doubts doubts={doubts ?? NONE} />
      {!lacksTarget && (
        <RowFilters
          draft={draft}
          question={question}
          onAccept={selection.ids.size > 0 ? () => accept([...selection.ids]) : undefined}
          onAsk={(next) => {
            if (next.filter !== question.filter) selection.none();
            ask(next);
          }}
        />
      )}
      {lacksTarget ? (
        <NoTarget />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the panel inside.
        <div className={styles.work} onKeyDown={onKeyDown}>
          <div className={mergeClasses(styles.table, isBeside && styles.beside)}>
            <ReviewTable
              handle={table}
              draft={draft}
              found={found}
              question={question}
              onAsk={ask}
              shownId={isBeside ? row.rowId : undefined}
              selection={selection}
              onActive={setActive}
              onOpen={open}
              onAccept={(of) => accept(changedWith(of).rowIds)}
              onInclude={(of, isIncluded) => {
                const changed = changedWith(of);
                // For an empty folder, the panel opens and says that the folder is empty.
                if (isIncluded && changed.rowIds.length === 1 && isEmptyRow(of)) open();
                else void choices.setRows(changed, isIncluded);
              }}
              onDrag={(of) => {
                dragged.current = of;
                setOpened('assignment');
              }}
            />
          </div>
          {isBeside && (
            <div className={styles.side}>
              <RowPanel
                row={row}
                part={opened}
                onPart={setOpened}
                selected={selection.has(row) ? selection.ids.size : 1}
                input={input}
                onChoose={(to, alike) => decide(row, () => assign(changedWith(row, alike), to))}
                onDrop={(to) => void (dragged.current && assign(changedWith(dragged.current), to))}
                onInclude={(isIncluded) => decide(row, () => choices.setRows(changedWith(row), isIncluded))}
                onClash={(onClash, paths) => void choices.setClash(row.rowId, onClash, paths)}
                onIncludeFiles={(isIncluded, paths) => void choices.setFiles(row, isIncluded, paths)}
                onClose={close}
              />
            </div>
          )}
        </div>
      )}
      <StartBar
        draft={draft}
        lacksTarget={lacksTarget}
        startId={startId}
        undecidedId={undecidedId}
        onUndo={() => void choices.undo()}
        onUndecided={() => {
          ask({ ...everything, filter: 'undecided' });
          table.current?.focus(0);
        }}
        onStarted={() => ask(everything)}
        isDoubtful={doubts && doubts.length > 0}
      />
      <Toaster toasterId={toasterId} position="bottom-start" offset={aboveBar} limit={1} />
    </PageFill>
  );
};

type Accepted = { readonly accepted: number; readonly left: number };

const AcceptedNote = ({ accepted, left }: Accepted) => (
  <Toast>
    <ToastTitle>{t('newUpload.accept.done', { count: accepted })}</ToastTitle>
    {left > 0 && <ToastBody>{t('newUpload.accept.left', { count: left })}</ToastBody>}
  </Toast>
);

const Undone = ({ what }: { readonly what: string }) => (
  <Toast>
    <ToastTitle>{t('newUpload.undo.done', { what })}</ToastTitle>
  </Toast>
);

/**
 * Replaces the folders while everything is to go to an assignment that has not been chosen yet. The matches of the
 * folders would look like the assignments that they go to.
 */
const NoTarget = () => (
  <div className={useStyles().work}>
    <Empty title={t('newUpload.start.target')} />
  </div>
);

type RowFiltersProps = {
  readonly draft: Draft;
  readonly question: RowsQuestion;
  readonly onAsk: (question: RowsQuestion) => void;
  /** Accepts the proposals of the selected rows; undefined if none is selected. */
  readonly onAccept: (() => void) | undefined;
};

const RowFilters = ({ draft, question, onAsk, onAccept }: RowFiltersProps) => {
  const styles = useStyles();
  return (
    <Line>
      <Tabs
        className={styles.tabs}
        size="small"
        label={t('newUpload.filter.label')}
        values={filters}
        nameOf={(one) =>
          t('uploads.filterCount', { name: t(`newUpload.filter.${keyOf(one)}`), count: countOf(draft, one) })
        }
        value={question.filter}
        onChange={(filter) => onAsk({ ...question, filter })}
      />
      {mayAccept(draft) && (
        <Button
          size="small"
          icon={<Checkmark16Regular />}
          className={styles.accept}
          disabledFocusable={onAccept === undefined}
          title={t('newUpload.accept.hint')}
          aria-label={t('newUpload.accept.action')}
          onClick={onAccept}
        >
          <span className={styles.acceptText}>{t('newUpload.accept.action')}</span>
        </Button>
      )}
      <SearchField
        label={t('newUpload.filter.search')}
        value={question.text}
        onChange={(text) => onAsk({ ...question, text })}
      />
    </Line>
  );
};

/**
 * Returns the row for the panel: the active row (`at`), or the previous one while the active row is loading, because
 * the panel keeps the focus. After a decision (`goesOn`), the table may have another decided row at this position. The
 * panel does not show that row, because a key pressed for the next decision would change it.
 */
const usePanelRow = (at: DraftRow | undefined, isEmpty: boolean, goesOn: boolean): DraftRow | undefined => {
  const last = useRef<DraftRow>(undefined);
  const isAnother = at?.rowId !== last.current?.rowId;
  if (isEmpty) last.current = undefined;
  else if (at !== undefined && !(goesOn && isAnother && at.choice !== 'undecided')) last.current = at;
  return last.current;
};

const hasOwnUndo = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  (target.closest('[role="dialog"], [role="alertdialog"]') !== null ||
    (target instanceof HTMLInputElement && target.type !== 'checkbox' && target.value !== ''));

/**
 * Calls `undo` for Ctrl+Z (on a Mac Command+Z) while the page is in view, except in a dialog or in a field with text.
 */
const useUndoKey = (undo: () => void): void =>
  useWindowEvent('keydown', (event) => {
    if (event.key.toLowerCase() !== 'z' || !isShortcut(event) || hasOwnUndo(event.target)) return;
    event.preventDefault();
    undo();
  });

type ReadRows = (
  offset: number,
  limit: number,
) => Promise<{ readonly rows: readonly Pick<DraftRow, 'choice'>[]; readonly total: number }>;

const step = 200;

const firstIn = async (read: ReadRows, from: number, to: number): Promise<number | undefined> => {
  for (let offset = from; offset < to; offset += step) {
    const { rows } = await read(offset, Math.min(step, to - offset));
    const found = rows.findIndex(({ choice }) => choice === 'undecided');
    if (found >= 0) return offset + found;
    if (rows.length === 0) return undefined;
  }
  return undefined;
};

/**
 * Finds the next row that needs a decision, first from `from` on and then before it. Resolves to its position;
 * undefined if there is none.
 */
export const nextUndecided = async (read: ReadRows, from: number): Promise<number | undefined> => {
  const { total } = await read(0, 1);
  return (await firstIn(read, Math.min(from, total), total)) ?? firstIn(read, 0, Math.min(from, total));
};

type Doubt = { readonly title: string; readonly text: string };

const doubtOf = (row: DraftRow, warning: DraftWarning): Doubt | undefined => {
  if (warning.kind === 'status')
    return {
      title: t('newUpload.doubt.status', { status: statusName(warning.AssignmentStatus) }),
      text: t('newUpload.doubt.statusTodo'),
    };
  if (warning.kind === 'other-assignment')
    return {
      title: t('newUpload.doubt.other', { folder: rowName(row) }),
      text: t('newUpload.doubt.otherTodo', { found: warning.found, name: warning.name }),
    };
  return undefined;
};

const NONE: readonly Doubt[] = [];

/** The maximum number of rows with a problem that are read, which is more than users look through. */
const MOST_PROBLEMS = 50;

/**
 * Returns the warnings about the assignment that everything goes to; undefined until they are known. If each folder has
 * its own assignment, returns no warnings, because the rows show them.
 */
export const useDoubts = ({ AssignmentId, isComparing, counts }: Draft): readonly Doubt[] | undefined => {
  const isAsked = AssignmentId !== undefined && counts.problems > 0;
  const { queryKey, queryFn } = useCalls().drafts.rows({ filter: 'problems', limit: MOST_PROBLEMS });
  const rows = useCallQuery({ queryKey, queryFn, enabled: isAsked }).value?.rows;
  if (isComparing) return undefined;
  if (!isAsked) return NONE;
  const doubts = rows?.flatMap((row) => compact(row.warnings.map((warning) => doubtOf(row, warning))));
  // Removes duplicates, because warnings about the status are the same for all folders.
  return doubts && uniqBy(doubts, ({ title, text }) => title + text);
};

const Doubts = ({ doubts }: { readonly doubts: readonly Doubt[] }) =>
  doubts.map(({ title, text }) => (
    <div key={`${title} ${text}`} role="alert">
      <Message intent="warning" title={title}>
        {text}
      </Message>
    </div>
  ));

const useRowPanelStyles = makeStyles({
  panel: {
    position: 'absolute',
    inset: 0,
    padding: tokens.spacingHorizontalM,
    // The panel has the same height with files and with assignments.
    '@media (max-width: 1099px)': { ...floating, width: '360px', height: 'calc(100vh - 60px)' },
    // The panel covers the folders, but not the bar that starts the upload.
    '@media (min-width: 480px) and (max-width: 1099px) and (min-height: 560px)': {
      position: 'absolute',
      inset: '0 0 0 auto',
      height: 'auto',
    },
  },
  warnings: { ...bareList, display: 'flex', flexDirection: 'column' },
  parts: { justifyContent: 'space-between', flexShrink: 0 },
  warning: { display: 'flex', gap: tokens.spacingHorizontalXS, overflowWrap: 'anywhere' },
  icon: { flexShrink: 0, marginTop: '2px', color: tokens.colorStatusWarningForeground3 },
});

const panelParts = ['assignment', 'files'] as const;
type PanelPart = (typeof panelParts)[number];

type RowPanelProps = {
  readonly row: DraftRow;
  readonly part: PanelPart;
  readonly onPart: (part: PanelPart) => void;
  readonly selected: number;
  readonly input: Ref<HTMLInputElement>;
  /** Called with the chosen candidate. `alike`: the ids of other rows that get the same choice. */
  readonly onChoose: (candidate: DraftCandidate, alike: readonly number[]) => void;
  readonly onDrop: (candidate: DraftCandidate) => void;
  readonly onInclude: (isIncluded: boolean) => void;
  readonly onClash: (onClash: OnClash, paths?: readonly string[]) => void;
  readonly onIncludeFiles: (isIncluded: boolean, paths?: readonly string[]) => void;
  readonly onClose: () => void;
};

/** Adds the row's present assignment to `candidates` if it is missing. Adds nothing while the user searches. */
const withChosen = (
  candidates: readonly DraftCandidate[],
  { choice, AssignmentId, assignment, certainty = 0, reasons }: DraftRow,
  text: string,
): readonly DraftCandidate[] => {
  const isMissing =
    text === '' && choice === 'assignment' && candidates.every((one) => one.AssignmentId !== AssignmentId);
  if (!isMissing || AssignmentId === undefined) return candidates;
  return [{ AssignmentId, certainty, reasons, ...(assignment && { assignment }) }, ...candidates];
};

/**
 * Queries the assignments suggested for a row or, with `text`, the assignments found for the text. Until the result
 * arrives, returns the previous one; each result contains its `rowId` and `text`.
 */
const useCandidates = (rowId: number, text: string) => {
  const searched = text.trim().slice(0, LONGEST_SEARCH);
  const { queryKey, queryFn } = useCalls().drafts.candidates({ rowId, ...(searched !== '' && { text: searched }) });
  return useCallQuery({
    queryKey: [...queryKey, text],
    queryFn: async () => {
      const { candidates, total } = await queryFn();
      return { rowId, text, candidates: uniqBy(candidates, ({ AssignmentId }) => AssignmentId), total };
    },
  }).value;
};

/**
 * Queries the rows to which a choice for this row could also apply, including the row itself. Until the result arrives,
 * returns the previous one; each result contains its `rowId`.
 */
const useAlike = (rowId: number) => {
  const { queryKey, queryFn } = useCalls().drafts.alike({ rowId });
  return useCallQuery({ queryKey, queryFn: async () => ({ rowId, ...(await queryFn()) }) }).value;
};

const FileList = lazily(async () => (await import('./file-list.tsx')).FileList);

const RowPanel = (props: RowPanelProps) => {
  const { row, part, onPart, selected, onIncludeFiles, onClose } = props;
  const styles = useRowPanelStyles();
  const hasFiles = row.choice !== 'left-out' || (isEmptyRow(row) && row.leftOut.files > 0);
  const showsFiles = hasFiles && part === 'files';
  return (
    <SidePanel
      label={t('newUpload.panel.label')}
      title={rowName(row)}
      tooltip={row.path}
      Heading="h2"
      closeLabel={t('newUpload.panel.close')}
      onClose={onClose}
      className={styles.panel}
    >
      {selected > 1 && <Text weight="semibold">{t('newUpload.row.selected', { count: selected })}</Text>}
      {row.warnings.length > 0 && (
        <ul className={styles.warnings} aria-label={t('newUpload.panel.problems')}>
          {row.warnings.map((warning) => (
            <li key={warning.kind} className={styles.warning}>
              <Warning16Regular className={styles.icon} aria-hidden="true" />
              <span>{warningText(warning)}</span>
            </li>
          ))}
        </ul>
      )}
      <Line className={styles.parts}>
        {hasFiles && (
          <Tabs
            size="small"
            label={t('newUpload.panel.parts')}
            values={panelParts}
            nameOf={(one) =>
              one === 'assignment'
                ? t('newUpload.row.assignment')
                : t('uploads.filterCount', { name: t('newUpload.files.title'), count: row.files + row.leftOut.files })
            }
            value={part}
            onChange={onPart}
          />
        )}
        <CertaintyBadge certainty={rowCertainty(row)} />
      </Line>
      {/* While this part is hidden, it keeps the text that was typed. */}
      <Activity mode={showsFiles ? 'hidden' : 'visible'}>
        <TargetPart {...props} />
      </Activity>
      {showsFiles && <FileList key={row.rowId} row={row} onIncludeFiles={onIncludeFiles} />}
    </SidePanel>
  );
};

type TargetPartProps = Omit<RowPanelProps, 'part' | 'onPart' | 'onIncludeFiles' | 'onClose'>;

const TargetPart = ({ row, selected, input, onChoose, onDrop, onInclude, onClash }: TargetPartProps) => {
  const [text, setText] = useState('');
  const [forAlike, setForAlike] = useState(false);
  useOnChange(row.rowId, () => {
    setText('');
    setForAlike(false);
  });
  const result = useCandidates(row.rowId, text);
  const alike = useAlike(row.rowId);
  const others = alike?.rowId === row.rowId ? alike.rowIds.filter((id) => id !== row.rowId) : [];
  const isLeftOut = row.choice === 'left-out';
  const canToggle = !isLeftOut || !isEmptyRow(row);
  const isCurrent = result?.rowId === row.rowId;
  return (
    <>
      <CandidateBox
        question={row.rowId}
        input={input}
        text={text}
        onText={setText}
        candidates={isCurrent ? withChosen(result.candidates, row, result.text) : undefined}
        total={result?.total ?? 0}
        ready={isCurrent && result.text === text}
        chosenId={row.choice === 'assignment' ? row.AssignmentId : undefined}
        onChoose={(candidate, all) => onChoose(candidate, all || forAlike ? others : [])}
        spaceHint={canToggle ? t(`newUpload.panel.space.${isLeftOut ? 'include' : 'leaveOut'}`) : ''}
        onSpace={() => canToggle && onInclude(isLeftOut)}
        onDrop={onDrop}
      >
        {others.length > 0 && selected < 2 && (
          <Checkbox
            checked={forAlike}
            onChange={(_, { checked }) => setForAlike(checked === true)}
            label={t('newUpload.panel.alike', { count: others.length })}
          />
        )}
      </CandidateBox>
      <ClashList row={row} onChoose={onClash} />
      <Renames rowId={row.rowId} />
      {canToggle ? (
        <div>
          <Button onClick={() => onInclude(isLeftOut)}>
            {isLeftOut ? t('newUpload.panel.include') : t('newUpload.panel.leaveOut')}
          </Button>
        </div>
      ) : (
        <Text>{t('newUpload.row.empty')}</Text>
      )}
    </>
  );
};
