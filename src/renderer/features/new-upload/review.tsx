import {
  Button,
  Field,
  Link,
  MenuButton,
  makeStyles,
  mergeClasses,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  Spinner,
  Switch,
  Text,
  tokens,
} from '@fluentui/react-components';
import { ArrowUndo20Regular, ArrowUpload20Regular, Checkmark16Regular, Question16Regular } from '@fluentui/react-icons';
import { compact, uniqBy } from 'es-toolkit';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { DeskClient } from '../../../contract/calls.ts';
import type { Draft, DraftFilter, DraftRow, DraftWarning, UndoneChange } from '../../../contract/drafts.ts';
import { shownPath, visibleText } from '../../../contract/text.ts';
import { AutomaticReceipt, type OnClash } from '../../../contract/uploads.ts';
import { statusName } from '../../domain/assignments/assignments.tsx';
import { useManaged } from '../../domain/managed.tsx';
import { leftOutText, receiptName, recentSpeed } from '../../domain/uploads/batch-words.ts';
import {
  passedText,
  proposedTimes,
  START_CHECK_MS,
  START_KINDS,
  type StartTime,
  StartTimeFields,
  wantedSchedule,
} from '../../domain/uploads/start-time.tsx';
import { useCallQuery, useCalls } from '../../queries/query.tsx';
import { useAction, useApp, useDesk, useReport, useSnapshot } from '../../state/store.tsx';
import type { TableHandle } from '../../ui/data-table/data-table.tsx';
import { useSelection } from '../../ui/data-table/use-selection.ts';
import { SelectField } from '../../ui/fields.tsx';
import { useLatest, useNow, useOnChange, useWindowEvent, useWithin } from '../../ui/hooks.ts';
import { isShortcut, isTextField } from '../../ui/is-mac.ts';
import { Message } from '../../ui/message.tsx';
import { Empty, Line, Minor, PageFill } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { folded, sideBySide, stacked, wrapping } from '../../ui/styles.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { formatBytes, formatTimeLeft } from '../../words/amounts.ts';
import { formatMoment, fromInputValue } from '../../words/dates.ts';
import { keyOf, t } from '../../words/words.ts';
import { Renames } from './renames.tsx';
import {
  amountsText,
  isEmptyRow,
  mayAccept,
  ReviewTable,
  type RowsQuestion,
  rowName,
  rowsInput,
  targetText,
  useDraftRows,
} from './review-table.tsx';
import { type PanelPart, RowPanel } from './row-panel.tsx';

/** Describes a change that was undone, such as "2 folders left out". */
const undoneText = ({ kind, count, row, path, ...to }: UndoneChange): string => {
  if (kind === 'accept') return t('newUpload.accept.done', { count });
  if (kind === 'includeFiles') return t('newUpload.undo.includeFiles', { count });
  if (kind === 'clash') return t('newUpload.undo.clash');
  if (kind === 'scope') return t('newUpload.undo.last');
  const assignment = targetText(to);
  const folder = path === undefined ? row && rowName(row) : visibleText(shownPath(path));
  return folder === undefined
    ? t(`newUpload.undo.${kind}Many`, { count, assignment })
    : t(`newUpload.undo.${kind}`, { folder, assignment });
};

/**
 * Returns functions that change a draft, one change at a time. Each resolves to true once the rows on screen show the
 * change; to false if the change failed, or was not made, for example because the same change is already in progress.
 * `onUndone` is called with a description of the change that was undone.
 */
export const useChoices = (onUndone: (what: string) => void) => {
  const { drafts } = useDesk();
  const report = useReport();
  const running = useRef<{ readonly of: string; readonly ended: Promise<boolean> }>(undefined);
  const perform = async (act: () => Promise<unknown>): Promise<boolean> => {
    try {
      await act();
      return true;
    } catch (error) {
      report(error);
      return false;
    } finally {
      running.current = undefined;
    }
  };
  /** Makes a change. `of` identifies it, so that a key that is held down does not make it twice. */
  const change = async (of: string, act: () => Promise<unknown>): Promise<boolean> => {
    // The next row can be on screen before main has responded for the previous one. A change of the next row then
    // waits, instead of being ignored.
    if (running.current !== undefined && running.current.of !== of) await running.current.ended;
    if (running.current !== undefined) return false;
    const ended = perform(act);
    running.current = { of, ended };
    return ended;
  };
  return {
    assign: (rowIds: readonly number[], AssignmentId: string) =>
      change(`${rowIds}`, () => drafts.assign({ rowIds, AssignmentId })),
    /** Assigns each row to the assignment that is proposed for it; see `drafts.accept`. */
    accept: (rowIds: readonly number[], onDone: (done: Accepted) => void) =>
      change(`${rowIds}`, async () => onDone(await drafts.accept({ rowIds }))),
    setRows: (rowIds: readonly number[], isIncluded: boolean) =>
      change(`${rowIds}`, () => drafts[isIncluded ? 'include' : 'leaveOut']({ rowIds })),
    /** Includes or leaves out the files `paths` of a row; without `paths`, all its files. */
    setFiles: (rowId: number, isIncluded: boolean, paths?: readonly string[]) =>
      change(`${rowId} ${paths}`, () => drafts.setFiles({ rowId, isIncluded, ...(paths && { paths }) })),
    setClash: (rowId: number, onClash: OnClash, paths?: readonly string[]) =>
      change(`${rowId}`, () => drafts.setClash({ rowId, onClash, ...(paths && { paths }) })),
    undo: () =>
      change('undo', async () => {
        const undone = await drafts.undo();
        if (undone) onUndone(undoneText(undone));
      }),
  };
};

const useStyles = makeStyles({
  tabs: { flex: '1 1 420px', marginRight: 0 },
  // While the navigation is folded, the tabs need the room of the button's text.
  accept: { [folded]: { minWidth: 'auto' } },
  acceptText: { [folded]: { display: 'none' } },
  // Narrow enough for the filters to fit in one line in every language, even next to the unfolded navigation.
  search: { '@media (min-width: 480px) and (max-width: 1359px)': { width: '176px' } },
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

const everything: RowsQuestion = { filter: 'all', text: '', sort: undefined };

/**
 * Returns the question that selects the shown rows, and a function that sets it. The default filter is `all`. Once the
 * folders have been compared with their assignments, it is `new` if some folders that are not left out have nothing
 * new. It stays `all` if the user opened a folder before that (`isOpen`), because another filter could close the
 * folder's panel.
 */
const useQuestion = ({ phase, comparing, counts }: Draft, isOpen: boolean) => {
  const [asked, ask] = useState<RowsQuestion>();
  const [first, setFirst] = useState<DraftFilter>();
  const isKnown = phase === 'ready' && comparing === 0;
  useEffect(() => {
    const hasOld = isKnown && counts.new + counts['left-out'] < counts.all;
    if (isKnown || isOpen) setFirst((before) => before ?? (hasOld ? 'new' : 'all'));
  }, [isKnown, isOpen, counts]);
  return [asked ?? { ...everything, filter: first ?? 'all' }, ask] as const;
};

/**
 * Focuses the row that `first` resolves to once the table is ready, unless the user has moved the focus elsewhere on
 * the page.
 */
const useFirstFocus = (table: RefObject<TableHandle | null>, isReady: boolean, first: () => Promise<number>): void => {
  const report = useReport();
  useEffect(() => {
    const focus = (index: number): void => {
      if (document.activeElement?.matches('body, h1')) table.current?.focus(index);
    };
    if (isReady) first().then(focus).catch(report);
  }, [table, isReady, first, report]);
};

type ReviewProps = { readonly draft: Draft; readonly lacksTarget: boolean; readonly added: string | undefined };

/**
 * Shows the folders of the draft, their assignments, and the actions on them. `lacksTarget`: everything is to go to one
 * assignment that has not been chosen yet. `added`: the name of the first of the folders that were added last.
 */
export const Review = ({ draft, lacksTarget, added }: ReviewProps) => {
  const styles = useStyles();
  const { drafts } = useDesk();
  const [note, setNote] = useNote();
  const [opened, setOpened] = useState<PanelPart>();
  const isOpen = opened !== undefined;
  const [question, ask] = useQuestion(draft, isOpen);
  const found = useDraftRows(question);
  const { count = 0 } = found;
  const [active, setActive] = useState(0);
  const table = useRef<TableHandle>(null);
  const input = useRef<HTMLInputElement>(null);
  const [startId, undecidedId] = [useId(), useId()];
  const selection = useSelection({
    rows: found,
    idOf: ({ rowId }) => rowId,
    rowLabel: rowName,
    allLabel: t('newUpload.row.label'),
  });
  // Clears the selection, because rows that are no longer listed would stay selected.
  useOnChange(`${question.filter} ${question.text}`, selection.none);
  const choices = useChoices((what) => setNote(t('newUpload.undo.done', { what })));
  useUndoKey(() => draft.canUndo && void choices.undo());
  const report = useReport();
  const find = useLatest<Parameters<FindRow>, ReturnType<FindRow>>((wanted) =>
    drafts.find({ ...rowsInput(question), ...wanted }),
  );
  const findAdded = useLatest(async () => {
    const found = added === undefined ? undefined : (await find({ chosen: added })).found;
    return found?.index ?? 0;
  });
  useFirstFocus(table, draft.phase === 'ready' && count > 0, findAdded);
  /** The ids of the rows that were decided in the panel, until the panel shows the next row. */
  const [leaving, setLeaving] = useState<readonly number[]>([]);
  const row = usePanelRow({ found, find, active, isOpen, goesOn: leaving.length > 0, table, onActive: setActive });
  const isBeside = isOpen && row !== undefined;
  const dragged = useRef<DraftRow>(undefined);

  /**
   * Returns the ids of the rows that a choice for `of` changes. If `of` is one of several selected rows, these are all
   * selected rows; otherwise `of` and `others`.
   */
  const changedWith = (of: DraftRow, others: readonly number[] = []): readonly number[] =>
    selection.ids.size > 1 && selection.has(of) ? [...selection.ids] : [of.rowId, ...others];
  const goOn = async (from: DraftRow, changing: Promise<boolean>): Promise<void> => {
    setLeaving((rowIds) => [...rowIds, from.rowId]);
    try {
      if (!(await changing)) return;
      selection.none();
      const { found: next, total } = await find({ from: active });
      if (next === undefined) {
        const undecided = await drafts.find({ filter: 'undecided' });
        // Closes the panel, which would otherwise show a folder that the user did not open.
        setOpened(undefined);
        // A start cannot be undone, so a second Enter must not start the upload while other filters have undecided
        // folders.
        if (undecided.total === 0) document.getElementById(startId)?.focus();
        else if (total === 0) document.getElementById(undecidedId)?.focus();
        else table.current?.focus(active);
      } else {
        table.current?.show(next.index);
        input.current?.focus();
      }
    } finally {
      setLeaving((rowIds) => rowIds.filter((rowId) => rowId !== from.rowId));
    }
  };
  const decide = (from: DraftRow, change: () => Promise<boolean>): void => {
    // A second press of a key must not change the row that the panel is leaving.
    if (!leaving.includes(from.rowId)) goOn(from, change()).catch(report);
  };
  const accept = (rowIds: readonly number[]): void => {
    void choices.accept(rowIds, (done) => setNote(acceptedText(done))).then((isDone) => isDone && selection.none());
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
    // An Escape that a dialog of the panel handles must not close the panel. The dialog prevents its default.
    if (key === 'Escape' && isBeside && !defaultPrevented) close();
  };
  return (
    <PageFill>
      <Doubts draft={draft} />
      {!lacksTarget && (
        <RowFilters
          draft={draft}
          question={question}
          selected={selection.ids.size}
          onAccept={() => accept([...selection.ids])}
          onAsk={ask}
        />
      )}
      {lacksTarget ? (
        // The folders are hidden, because the table would show them with assignments that they will not go to.
        <div className={styles.work}>
          <Empty title={t('newUpload.start.target')} />
        </div>
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
              onAccept={(of) => accept(changedWith(of))}
              onInclude={(of, isIncluded) => {
                const changed = changedWith(of);
                // For an empty folder, the panel opens and says that the folder is empty.
                if (isIncluded && changed.length === 1 && isEmptyRow(of)) open();
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
                onChoose={(to, alike) => decide(row, () => choices.assign(changedWith(row, alike), to.AssignmentId))}
                onDrop={(to) => void (dragged.current && choices.assign(changedWith(dragged.current), to.AssignmentId))}
                onInclude={(isIncluded) => decide(row, () => choices.setRows(changedWith(row), isIncluded))}
                onClash={(onClash, paths) => void choices.setClash(row.rowId, onClash, paths)}
                onIncludeFiles={(isIncluded, paths) => void choices.setFiles(row.rowId, isIncluded, paths)}
                onClose={close}
              />
            </div>
          )}
        </div>
      )}
      <StartBar
        draft={draft}
        note={note}
        lacksTarget={lacksTarget}
        startId={startId}
        undecidedId={undecidedId}
        onUndo={() => void choices.undo()}
        onUndecided={() => {
          ask({ ...everything, filter: 'undecided' });
          table.current?.focus(0);
        }}
        onStarted={() => ask(everything)}
      />
    </PageFill>
  );
};

type Accepted = { readonly accepted: number; readonly left: number };

const acceptedText = ({ accepted, left }: Accepted): string =>
  compact([
    `${t('newUpload.accept.done', { count: accepted })}.`,
    left > 0 && t('newUpload.accept.left', { count: left }),
  ]).join(' ');

/** How long a note about the last change is shown, in ms. */
const NOTE_MS = 10_000;

/**
 * Returns a note about the last change, and a function that shows another note. Each note disappears after `NOTE_MS`.
 */
const useNote = () => {
  const [{ text, times }, setNote] = useState({ text: '', times: 0 });
  const say = (next: string): void => setNote((before) => ({ text: next, times: before.times + 1 }));
  useEffect(() => {
    if (times === 0) return;
    const timer = setTimeout(() => setNote({ text: '', times }), NOTE_MS);
    return () => clearTimeout(timer);
  }, [times]);
  // A new element is announced even if its text is that of the previous one.
  return [text !== '' && <span key={times}>{text}</span>, say] as const;
};

type RowFiltersProps = {
  readonly draft: Draft;
  readonly question: RowsQuestion;
  readonly onAsk: (question: RowsQuestion) => void;
  /** The number of selected rows. */
  readonly selected: number;
  /** Accepts the proposals of the selected rows. */
  readonly onAccept: () => void;
};

const RowFilters = ({ draft, question, onAsk, selected, onAccept }: RowFiltersProps) => {
  const styles = useStyles();
  const acceptName = t('common.counted', { name: t('newUpload.accept.action'), count: selected });
  return (
    <Line>
      <Tabs
        className={styles.tabs}
        size="small"
        label={t('newUpload.filter.label')}
        values={filters}
        nameOf={(one) => t('common.counted', { name: t(`newUpload.filter.${keyOf(one)}`), count: draft.counts[one] })}
        value={question.filter}
        onChange={(filter) => onAsk({ ...question, filter })}
      />
      {mayAccept(draft) && (
        <Button
          size="small"
          icon={<Checkmark16Regular />}
          className={styles.accept}
          disabledFocusable={selected === 0}
          title={t('newUpload.accept.hint')}
          aria-label={acceptName}
          onClick={onAccept}
        >
          <span className={styles.acceptText}>{acceptName}</span>
        </Button>
      )}
      <div className={styles.search}>
        <SearchField
          label={t('newUpload.filter.search')}
          value={question.text}
          onChange={(text) => onAsk({ ...question, text })}
        />
      </div>
    </Line>
  );
};

/** Whether the user has decided on a row since it was `before`. */
const isDecided = (before: DraftRow, { choice, chosenBy }: DraftRow): boolean =>
  choice !== before.choice && (choice === 'left-out' || chosenBy === 'person');

/** Finds one of the rows that the table lists, even if it is not loaded: see `drafts.find`. */
type FindRow = (wanted: {
  readonly rowId?: number;
  readonly chosen?: string;
  readonly from?: number;
}) => ReturnType<DeskClient['drafts']['find']>;

type PanelRowOptions = {
  readonly found: ReturnType<typeof useDraftRows>;
  readonly find: FindRow;
  /** The index of the row that Tab leads to. */
  readonly active: number;
  readonly isOpen: boolean;
  /** Whether the user has decided on the row in the panel. The panel then goes on to the next row. */
  readonly goesOn: boolean;
  /** The table, which follows the row in the panel when that row has moved. */
  readonly table: RefObject<TableHandle | null>;
  readonly onActive: (index: number) => void;
};

/**
 * Returns the row for the panel, which is usually the active row. While the active row is loading, the previous row
 * stays, so that the panel keeps the focus. The previous row also stays if rows move before the user has decided on it,
 * for example because other folders are matched: a key pressed for it must not change another row. After a decision,
 * the previous row stays until the active row is an undecided one.
 */
const usePanelRow = (options: PanelRowOptions): DraftRow | undefined => {
  const { found, find, active, isOpen, goesOn, table, onActive } = options;
  const report = useReport();
  const { count = 0, question, rowAt } = found;
  const last = useRef<{ readonly row?: DraftRow; readonly active: number; readonly question: unknown }>(undefined);
  const before = last.current?.row;
  const isSamePlace = last.current?.active === active && last.current.question === question;
  /** The rows in which the previous row was missing or already decided. They are not searched again. */
  const [left, setLeft] = useState<typeof found>();
  let index = active;
  let isSought = false;
  if (isOpen && !goesOn && isSamePlace && before && rowAt(active)?.rowId !== before.rowId) {
    const loaded = Array.from({ length: count }, (_, at) => rowAt(at));
    const moved = loaded.findIndex((at) => at?.rowId === before.rowId);
    const now = loaded[moved];
    if (now && !isDecided(before, now)) index = moved;
    // Seeks the previous row only if the active row is loaded. Otherwise the user may only have scrolled the list.
    isSought = now === undefined && loaded[active] !== undefined && loaded.includes(undefined) && left !== found;
  }
  const at = rowAt(index);
  const isKept = at === undefined || isSought || (goesOn && at.rowId !== before?.rowId && at.choice !== 'undecided');
  const row = found.count === 0 ? undefined : isKept ? before : at;
  last.current = { ...(row && { row }), active, question };

  const move = useLatest((to: number) => {
    onActive(to);
    table.current?.show(to);
  });
  useLayoutEffect(() => {
    if (index !== active) move(index);
  }, [index, active, move]);
  useEffect(() => {
    if (!isSought || before === undefined) return;
    let isOver = false;
    const seek = async (): Promise<void> => {
      const { found: now } = await find({ rowId: before.rowId });
      if (isOver) return;
      if (now === undefined || isDecided(before, now.row)) setLeft(found);
      else move(now.index);
    };
    seek().catch(report);
    return () => {
      isOver = true;
    };
  }, [isSought, before, found, find, move, report]);
  return row;
};

const hasOwnUndo = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  (target.closest('[role="dialog"], [role="alertdialog"]') !== null || (isTextField(target) && target.value !== ''));

/**
 * Calls `undo` for Ctrl+Z (on a Mac Command+Z) while the page is in view, except in a dialog or in a field with text.
 */
const useUndoKey = (undo: () => void): void =>
  useWindowEvent('keydown', (event) => {
    if (event.key.toLowerCase() !== 'z' || !isShortcut(event) || hasOwnUndo(event.target)) return;
    event.preventDefault();
    undo();
  });

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

/** At most this many rows with a problem are read: more than users look through. */
const MOST_PROBLEMS = 50;

/**
 * Whether there are warnings about the assignment that everything goes to; undefined until that is known. False if each
 * folder has its own assignment, because the rows then show the warnings.
 */
const isDoubtfulIn = ({ AssignmentId, isComparing, doubts }: Draft): boolean | undefined =>
  isComparing ? undefined : AssignmentId !== undefined && doubts > 0;

/**
 * Returns the warnings about the assignment that everything goes to (`isDoubtfulIn`); none until they have been read.
 */
export const useDoubts = (draft: Draft): readonly Doubt[] => {
  const isAsked = isDoubtfulIn(draft) === true;
  const { queryKey, queryFn } = useCalls().drafts.rows({ filter: 'problems', limit: MOST_PROBLEMS });
  const rows = useCallQuery({ queryKey, queryFn, enabled: isAsked }).value?.rows;
  if (!isAsked || rows === undefined) return NONE;
  const doubts = rows.flatMap((row) => compact(row.warnings.map((warning) => doubtOf(row, warning))));
  // Removes duplicates, because warnings about the status are the same for all folders.
  return uniqBy(doubts, ({ title, text }) => title + text);
};

const Doubts = ({ draft }: { readonly draft: Draft }) =>
  useDoubts(draft).map(({ title, text }) => (
    <div key={`${title} ${text}`} role="alert">
      <Message intent="warning" title={title}>
        {text}
      </Message>
    </div>
  ));

// The bar with the summary of the upload, and the button that starts it.

const useBarStyles = makeStyles({
  bar: {
    // In a low window, a sticky bar would cover the table.
    '@media (min-height: 520px)': { position: 'sticky', bottom: 0 },
    zIndex: 1,
    ...wrapping(`${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`),
    padding: `${tokens.spacingVerticalS} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  // Without text, the note takes no line of the bar, but screen readers still watch it.
  note: { flexBasis: '100%', ':empty': { position: 'absolute' } },
  // High enough for two lines, so that the table keeps its height when a second line appears.
  sum: { flex: '1 1 260px', display: 'flex', flexDirection: 'column', minHeight: '36px' },
  undecided: { ...sideBySide(tokens.spacingHorizontalXS), alignSelf: 'flex-start' },
  fields: { ...stacked(tokens.spacingVerticalM), width: 'min(300px, 80vw)' },
});

type StartBarProps = {
  readonly draft: Draft;
  /** A note about the last change, if there is one. It is part of the bar, so it covers no rows of the table. */
  readonly note: ReactNode;
  /** Whether everything is to go to one assignment that has not been chosen yet. */
  readonly lacksTarget: boolean;
  readonly startId: string;
  readonly undecidedId: string;
  readonly onUndo: () => void;
  readonly onUndecided: () => void;
  /** Called after the upload has started. Undecided folders stay in the draft. */
  readonly onStarted: () => void;
};

/**
 * How long the start button waits for warnings. After that, the upload can be started anyway, and the button says so.
 */
const PATIENCE_MS = 5_000;

const StartBar = (props: StartBarProps) => {
  const { draft, note, lacksTarget, startId, undecidedId, onUndo, onUndecided, onStarted } = props;
  const isDoubtful = useWithin(isDoubtfulIn(draft), PATIENCE_MS, true);
  const styles = useBarStyles();
  const { drafts } = useDesk();
  const showStarted = useApp((state) => state.showStarted);
  const usual = useSnapshot(({ preferences }) => preferences.uploadHours);
  const isManaged = useManaged('uploads.hours');
  const usualReceipt = useSnapshot(({ preferences }) => preferences.uploadReceipt ?? 'none');
  const [chosen, choose] = useState<Partial<StartOptions>>({});
  const now = useNow(START_CHECK_MS);
  const options: StartOptions = {
    kind: usual?.length && !isManaged ? 'hours' : 'now',
    ...proposedTimes(usual, now),
    receipt: usualReceipt,
    takesLater: false,
    ...chosen,
  };
  const { kind, receipt, takesLater } = options;
  const schedule = wantedSchedule(options, now);
  const passed = passedText(options, now);
  const start = useAction(async () => {
    const { uploadId } = await drafts.start({ schedule, receipt, takesLater, chosen: draft.chosen });
    onStarted();
    await showStarted(uploadId);
  });
  const bytesPerSecond = useSnapshot(({ batches }) => recentSpeed(batches));
  const onePiece = draft.inOnePiece ? onePieceText(draft.inOnePiece, bytesPerSecond) : '';
  const isReady = draft.phase === 'ready' && draft.toSend.files > 0 && !lacksTarget;
  const [rest, undecided] = [restText(draft), lacksTarget ? '' : undecidedText(draft)];
  return (
    <div className={styles.bar}>
      <Text className={styles.note} role="status">
        {note}
      </Text>
      <div className={styles.sum} role="status">
        {!lacksTarget && <Text weight="semibold">{sumText(draft)}</Text>}
        {undecided !== '' && (
          <Link as="button" id={undecidedId} className={styles.undecided} onClick={onUndecided}>
            <Question16Regular />
            {undecided}
          </Link>
        )}
        {passed !== undefined && <Text size={200}>{passed}</Text>}
        {rest !== '' && <Minor size={200}>{rest}</Minor>}
        {onePiece !== '' && <Minor size={200}>{onePiece}</Minor>}
        <Renames />
      </div>
      <Line>
        <ChooseOptions options={options} onChange={(changed) => choose({ ...chosen, ...changed })} />
        <Button icon={<ArrowUndo20Regular />} disabledFocusable={!draft.canUndo} onClick={onUndo}>
          {t('common.undo')}
        </Button>
        <Button
          id={startId}
          appearance="primary"
          icon={start.busy ? <Spinner size="tiny" /> : <ArrowUpload20Regular />}
          disabledFocusable={start.busy || !isReady || isDoubtful === undefined || schedule === undefined}
          onClick={start.run}
        >
          {t(`newUpload.start.${isDoubtful === true ? 'anyway' : kind === 'at' ? 'schedule' : 'action'}`)}
        </Button>
      </Line>
    </div>
  );
};

type StartOptions = StartTime & {
  readonly receipt: AutomaticReceipt;
  /** Whether files that are added or changed after the review are uploaded, too. */
  readonly takesLater: boolean;
};

type ChooseOptionsProps = {
  readonly options: StartOptions;
  readonly onChange: (changed: Partial<StartOptions>) => void;
};

const ChooseOptions = ({ options, onChange }: ChooseOptionsProps) => {
  const { receipt, takesLater } = options;
  const styles = useBarStyles();
  const isManaged = useManaged('uploads.hours');
  return (
    <Popover trapFocus>
      <PopoverTrigger disableButtonEnhancement>
        <MenuButton>{startText(options, isManaged)}</MenuButton>
      </PopoverTrigger>
      <PopoverSurface className={styles.fields} aria-label={t('newUpload.when.options')}>
        <StartTimeFields time={options} kinds={START_KINDS} onChange={onChange} />
        <SelectField
          label={t('settings.receipt')}
          hint={t('settings.receiptHint')}
          values={AutomaticReceipt.options}
          nameOf={receiptName}
          value={receipt}
          onChoose={(chosen) => onChange({ receipt: chosen })}
        />
        <Field hint={t('newUpload.when.laterHint')}>
          <Switch
            label={t('newUpload.when.later')}
            checked={takesLater}
            onChange={(_, { checked }) => onChange({ takesLater: checked })}
          />
        </Field>
      </PopoverSurface>
    </Popover>
  );
};

/**
 * Returns a text that says when the upload starts. `isManaged`: whether the organisation has set the hours, which apply
 * to all uploads.
 */
const timeText = ({ kind, at }: StartTime, isManaged: boolean): string => {
  const atMs = kind === 'at' ? fromInputValue(at) : undefined;
  if (atMs !== undefined) return t('uploads.starts', { at: formatMoment(atMs) });
  if (kind === 'now' && isManaged) return t('newUpload.when.hours');
  return t(`newUpload.when.${kind === 'now' ? 'starts' : kind}`);
};

const startText = (options: StartOptions, isManaged: boolean): string => {
  const { receipt } = options;
  const when = timeText(options, isManaged);
  return receipt === 'none' ? when : `${when} · ${t('newUpload.when.receipt', { format: receiptName(receipt) })}`;
};

// What an upload would send, in words.

/**
 * Returns a text that sums up what an upload would send, such as "12 folders, 61 new files, 12 MB to 12 assignments",
 * or says that it would send nothing.
 */
const sumText = ({ chosen, toSend }: Draft): string =>
  toSend.files === 0
    ? t(chosen.files === 0 ? 'newUpload.start.nothing' : 'newUpload.start.nothingNew')
    : t('newUpload.start.sum', {
        folders: t('count.folder', { count: toSend.folders }),
        files:
          toSend.files < chosen.files
            ? t('newUpload.amount.new', { count: toSend.files })
            : t('count.file', { count: toSend.files }),
        size: formatBytes(toSend.bytes),
        assignments: t('count.assignment', { count: toSend.assignments }),
      });

/**
 * Returns a sentence that says how many folders have no assignment yet; empty if there are none, and until matching is
 * complete.
 */
export const undecidedText = ({ phase, counts }: Pick<Draft, 'phase' | 'counts'>): string =>
  phase === 'ready' && counts.undecided > 0 ? `${t('newUpload.start.undecided', { count: counts.undecided })}.` : '';

/**
 * Returns a text that says how many files were sent before, have a name that is taken, or are left out, and whether
 * comparisons are still in progress.
 */
export const restText = (
  draft: Pick<
    Draft,
    'phase' | 'isComparing' | 'leftOut' | 'comparing' | 'chosen' | 'sent' | 'clashes' | 'leftOutFiles'
  >,
): string => {
  const { phase, isComparing, leftOut, comparing } = draft;
  const left = leftOutText(leftOut);
  // If everything goes to one assignment, `Renames` says how many files will be renamed.
  const clashes = draft.chosen.assignments === 1 ? { ...draft.clashes, rename: 0 } : draft.clashes;
  const amounts = amountsText({ ...draft, clashes, toSend: { folders: 0, files: 0, bytes: 0, assignments: 0 } });
  return compact([
    amounts !== '' && `${amounts}.`,
    phase === 'ready' && comparing > 0 && `${t('newUpload.start.asking', { count: comparing })}.`,
    isComparing && t('newUpload.start.comparing'),
    left !== '' && `${t('uploads.leftOut', { what: left })}.`,
  ]).join(' ');
};

/** `onePieceText` mentions a file if its upload takes at least this many seconds. */
const LONG_S = 300;
/** `onePieceText` mentions a file of at least this size if the speed of uploads is unknown. */
const LARGE_BYTES = 1_000_000_000;

/**
 * Returns the warning that a large file is sent in one piece and therefore starts over after an interruption; empty if
 * the upload is short or, at an unknown speed, if the file is small. `bytesPerSecond`: the speed of recent uploads, if
 * known.
 */
export const onePieceText = (
  { name, sizeBytes }: NonNullable<Draft['inOnePiece']>,
  bytesPerSecond: number | undefined,
): string => {
  const size = formatBytes(sizeBytes);
  if (bytesPerSecond === undefined)
    return sizeBytes < LARGE_BYTES ? '' : t('newUpload.start.inOnePiece', { name, size });
  const time = formatTimeLeft(sizeBytes, bytesPerSecond) ?? '';
  return sizeBytes / bytesPerSecond < LONG_S ? '' : t('newUpload.start.inOnePieceTimed', { name, size, time });
};
