/** The panel beside the folders of a draft: the assignments to choose from for a row, and its files. */
import { Button, Checkbox, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import {
  Checkmark16Filled,
  CheckmarkCircle16Regular,
  Question16Regular,
  SubtractCircle16Regular,
  Warning16Regular,
} from '@fluentui/react-icons';
import { uniqBy } from 'es-toolkit';
import {
  Activity,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useState,
} from 'react';
import type { DraftCandidate, DraftRow, MatchReason } from '../../../contract/drafts.ts';
import { isClosed } from '../../../contract/resources.ts';
import type { OnClash } from '../../../contract/uploads.ts';
import { assignmentParts } from '../../domain/assignments/assignments.tsx';
import { errorSentences } from '../../domain/errors.tsx';
import { useCallQuery, useCalls } from '../../queries/query.tsx';
import { ComboInput } from '../../ui/combo-input.tsx';
import { rowAfterKey } from '../../ui/data-table/row-focus.ts';
import { useOnChange } from '../../ui/hooks.ts';
import { isMac } from '../../ui/is-mac.ts';
import { lazily } from '../../ui/lazy.tsx';
import { Line } from '../../ui/page.tsx';
import { floating, SidePanel } from '../../ui/side-panel.tsx';
import { bareList, stacked, unseen } from '../../ui/styles.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { t } from '../../words/words.ts';
import { ClashList } from './clash-list.tsx';
import { Renames } from './renames.tsx';
import {
  CertaintyBadge,
  certaintyName,
  certaintyOf,
  draggedRows,
  isEmptyRow,
  placeText,
  reasonText,
  rowCertainty,
  rowName,
  speaksFor,
  targetText,
  warningText,
} from './review-table.tsx';

const usePanelStyles = makeStyles({
  panel: {
    position: 'absolute',
    inset: 0,
    padding: tokens.spacingHorizontalM,
    // Keeps room for a scroll bar, so that the lines break at the same words when a long list of assignments needs one.
    scrollbarGutter: 'stable',
    // The panel keeps its height when the user switches between the assignments and the files.
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
export type PanelPart = (typeof panelParts)[number];

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

/** Adds the row's current assignment to `candidates` if it is missing. Adds nothing while the user searches. */
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
  const searched = text.trim();
  const { queryKey, queryFn } = useCalls().drafts.candidates({ rowId, ...(searched !== '' && { text: searched }) });
  return useCallQuery({
    queryKey: [...queryKey, text],
    queryFn: async () => {
      const { candidates, total } = await queryFn();
      return { rowId, text, candidates: uniqBy(candidates, ({ AssignmentId }) => AssignmentId), total };
    },
  });
};

const FileList = lazily(async () => (await import('./file-list.tsx')).FileList);

export const RowPanel = (props: RowPanelProps) => {
  const { row, part, onPart, selected, onIncludeFiles, onClose } = props;
  const styles = usePanelStyles();
  const hasFiles = row.choice !== 'left-out' || (isEmptyRow(row) && row.leftOut.files > 0);
  const showsFiles = hasFiles && part === 'files';
  return (
    <SidePanel
      label={t('newUpload.panel.label')}
      title={rowName(row)}
      tooltip={row.path}
      Heading="h2"
      closeLabel={t('common.close')}
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
                ? t('common.assignment')
                : t('common.counted', { name: t('common.files'), count: row.files + row.leftOut.files })
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
  const [forAlike, setForAlike] = useState(false);
  useOnChange(row.rowId, () => setForAlike(false));
  const alike = useCallQuery({ ...useCalls().drafts.alike({ rowId: row.rowId }), placeholderData: () => undefined });
  const others = alike.value?.rowIds.filter((id) => id !== row.rowId) ?? [];
  const isLeftOut = row.choice === 'left-out';
  const canToggle = !isLeftOut || !isEmptyRow(row);
  return (
    <>
      <CandidateBox
        row={row}
        input={input}
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

// The field and the list in which the user chooses an assignment.

const useBoxStyles = makeStyles({
  list: { ...stacked(tokens.spacingVerticalXS), ':empty': { display: 'none' } },
  note: { color: tokens.colorNeutralForeground2 },
  // The hint is hidden in a low window, where the assignments need the room.
  hint: { '@media (max-height: 640px)': unseen },
});

/**
 * Returns the position of the candidate that Enter chooses before the user moves the highlight; -1 for none. While the
 * user searches, this is the first candidate that is not closed. Otherwise it is the chosen candidate. Without a chosen
 * candidate, it is the first that is not closed, or -1 if a closed candidate fits better.
 */
const preselected = (
  candidates: readonly DraftCandidate[],
  chosenId: string | undefined,
  isSearch: boolean,
): number => {
  const chosen = isSearch ? -1 : candidates.findIndex(({ AssignmentId }) => AssignmentId === chosenId);
  if (chosen >= 0) return chosen;
  const isOver = ({ assignment }: DraftCandidate): boolean => isClosed(assignment?.AssignmentStatus ?? '');
  const open = candidates.findIndex((candidate) => !isOver(candidate));
  const certainty = candidates[open]?.certainty ?? 0;
  return !isSearch && candidates.some((one) => isOver(one) && one.certainty > certainty) ? -1 : open;
};

const nothingText = (text: string): string =>
  text === '' ? t('newUpload.panel.nothing') : t('newUpload.panel.nothingFound', { text });

/**
 * Returns the action of a key in the field. A number is the number of the candidate to choose; `nothing`: the key is
 * ignored; undefined: the key keeps its default action.
 */
const actionOf = (
  { key, altKey, ctrlKey, metaKey, shiftKey, repeat, nativeEvent }: KeyboardEvent,
  isEmpty: boolean,
): 'move' | 'one' | 'alike' | 'space' | 'nothing' | number | undefined => {
  if (nativeEvent.isComposing) return undefined;
  // A number chooses a candidate only with Alt, because an address can begin with a number. The number is read from
  // `code`, because Option on a Mac changes `key`.
  const [, number] = (altKey && !ctrlKey && !metaKey && !shiftKey && /^Digit([1-9])$/.exec(nativeEvent.code)) || [];
  if (number !== undefined) return repeat ? 'nothing' : Number(number);
  if (key === 'ArrowDown' || key === 'ArrowUp') return 'move';
  if (key !== 'Enter' && !(key === ' ' && (isEmpty || repeat))) return undefined;
  // A key that is held down must not decide on the next folder as well.
  if (repeat) return 'nothing';
  if (key === ' ') return 'space';
  return ctrlKey || metaKey ? 'alike' : 'one';
};

type CandidateBoxProps = Pick<RowPanelProps, 'row' | 'input' | 'onDrop'> & {
  /** Called with the chosen candidate. `alike`: whether the choice is for all folders like this one. */
  readonly onChoose: (candidate: DraftCandidate, alike: boolean) => void;
  /** A text that says what Space does in the empty field; empty if Space does nothing. */
  readonly spaceHint: string;
  readonly onSpace: () => void;
  readonly children?: ReactNode;
};

/**
 * A search field, and a list of possible assignments for a folder. The focus stays in the field. Arrow keys move the
 * highlight, and Enter chooses the highlighted assignment, with Ctrl or Command for all folders like this one. Alt with
 * a number chooses the assignment with that number. Space in the empty field leaves the folder out or includes it
 * again.
 */
export const CandidateBox = (props: CandidateBoxProps) => {
  const { row, input, onChoose, spaceHint, onSpace, onDrop, children } = props;
  const styles = useBoxStyles();
  const listId = useId();
  const [text, setText] = useState('');
  const [position, setPosition] = useState<number>();
  /**
   * The action of Enter if it was pressed before the candidates for the typed text had arrived; otherwise undefined.
   */
  const [entered, enter] = useState<'one' | 'alike'>();
  const type = (typed: string): void => {
    setText(typed);
    setPosition(undefined);
    enter(undefined);
  };
  useOnChange(row.rowId, () => {
    type('');
    document.getElementById(listId)?.closest('aside')?.scrollTo({ top: 0 });
  });
  const { value: result, error } = useCandidates(row.rowId, text);
  const isOfRow = result?.rowId === row.rowId;
  const candidates = isOfRow ? withChosen(result.candidates, row, result.text) : [];
  /** Whether `candidates` are those for the current folder and text. */
  const ready = isOfRow && result.text === text;
  const chosenId = row.choice === 'assignment' ? row.AssignmentId : undefined;
  const active = Math.min(position ?? preselected(candidates, chosenId, text !== ''), candidates.length - 1);
  const choose = (alike: boolean, at = active): void => {
    const candidate = candidates[at];
    if (candidate !== undefined) onChoose(candidate, alike);
  };
  useEffect(() => {
    if (entered === undefined || !(ready || error)) return;
    enter(undefined);
    choose(entered === 'alike');
  });
  // Until the user moves the highlight, the panel shows its top, with the name of the folder.
  const isMoved = position !== undefined;
  useEffect(() => {
    if (isMoved) document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, active, isMoved]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const action = actionOf(event, text === '');
    if (action === undefined) return;
    event.preventDefault();
    if (action === 'move') setPosition(rowAfterKey(event.key, active, candidates.length) ?? 0);
    if (action === 'space') onSpace();
    // A number that is pressed before the candidates are ready is ignored, because the user may have seen other
    // candidates.
    if (typeof action === 'number' && ready) choose(false, action - 1);
    if (action !== 'one' && action !== 'alike') return;
    if (ready) choose(action === 'alike');
    else enter(action);
  };
  const shared = sharedOf(candidates);
  const differs = differingParts(candidates);
  const isNoneActive = candidates.length > 0 && active < 0;
  const label = text === '' ? t('newUpload.panel.candidates') : t('newUpload.panel.found');
  return (
    <>
      <ComboInput
        ref={input}
        label={t('newUpload.panel.search')}
        aria-describedby={`${listId}-hint${shared.length > 0 ? ` ${listId}-shared` : ''}`}
        text={text}
        onText={type}
        listId={listId}
        isExpanded={candidates.length > 0}
        active={active}
        onKeyDown={onKeyDown}
      />
      <Text id={`${listId}-hint`} size={200} className={mergeClasses(styles.note, !isNoneActive && styles.hint)}>
        {isNoneActive ? t('newUpload.panel.closedHint') : t('newUpload.panel.hint', { alt: isMac() ? '⌥' : 'Alt' })}{' '}
        {spaceHint}
      </Text>
      {children}
      {(error !== undefined || (ready && candidates.length === 0)) && (
        <Text className={styles.note} role="status">
          {error ? errorSentences(error) : nothingText(text.trim())}
        </Text>
      )}
      {shared.length > 0 && (
        <div id={`${listId}-shared`}>
          <Text size={200} className={styles.note}>
            {t('newUpload.panel.shared')}
          </Text>
          <Reasons reasons={shared} />
        </div>
      )}
      <div id={listId} role="listbox" aria-label={label} className={styles.list}>
        {candidates.map((candidate, index) => (
          <CandidateOption
            key={candidate.AssignmentId}
            id={`${listId}-${index}`}
            number={index + 1}
            candidate={candidate}
            shared={shared}
            differs={differs}
            active={index === active}
            chosen={candidate.AssignmentId === chosenId}
            onClick={() => onChoose(candidate, false)}
            onDrop={() => onDrop(candidate)}
          />
        ))}
      </div>
      {ready && result.total > candidates.length && (
        <Text size={200} className={styles.note}>
          {t('newUpload.panel.more', { count: result.total })}
        </Text>
      )}
    </>
  );
};

/** Returns the reasons that all candidates have in common, which do not help to choose; none for a single candidate. */
const sharedOf = ([first, ...others]: readonly DraftCandidate[]): readonly MatchReason[] =>
  first === undefined || others.length === 0
    ? []
    : first.reasons.filter((reason) => others.every(({ reasons }) => isAmong(reasons, reason)));

const isAmong = (reasons: readonly MatchReason[], reason: MatchReason): boolean =>
  reasons.some((one) => reasonText(one) === reasonText(reason));

const partsOf = ({ assignment, certainty }: DraftCandidate): readonly string[] => [
  ...(assignment ? assignmentParts(assignment) : []),
  certaintyName(certaintyOf(certainty)),
];

const differingParts = (candidates: readonly DraftCandidate[]): readonly boolean[] => {
  const all = candidates.map(partsOf);
  return all[0]?.map((_, at) => new Set(all.map((parts) => parts[at])).size > 1) ?? [];
};

const useCandidateOptionStyles = makeStyles({
  option: {
    position: 'relative',
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalS}`,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    cursor: 'pointer',
    overflowWrap: 'anywhere',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
  },
  // Forced colours give all borders the same colour, but make this transparent outline visible.
  active: {
    outline: `2px solid ${tokens.colorTransparentStroke}`,
    backgroundColor: tokens.colorNeutralBackground1Selected,
    borderTopColor: tokens.colorCompoundBrandStroke,
    borderRightColor: tokens.colorCompoundBrandStroke,
    borderBottomColor: tokens.colorCompoundBrandStroke,
    borderLeftColor: tokens.colorCompoundBrandStroke,
  },
  over: { outline: `2px solid ${tokens.colorCompoundBrandStroke}` },
  name: { fontWeight: tokens.fontWeightSemibold },
  numbered: {
    paddingInlineEnd: '28px',
    '::after': {
      content: 'attr(data-number) / ""',
      position: 'absolute',
      insetInlineEnd: tokens.spacingHorizontalS,
      top: tokens.spacingVerticalXS,
      minWidth: '16px',
      border: `1px solid ${tokens.colorNeutralStroke1}`,
      borderRadius: tokens.borderRadiusSmall,
      fontSize: tokens.fontSizeBase100,
      lineHeight: tokens.lineHeightBase100,
      textAlign: 'center',
      color: tokens.colorNeutralForeground2,
    },
  },
  // The grid puts each part at the same place in every candidate.
  parts: {
    display: 'grid',
    gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
    columnGap: tokens.spacingHorizontalS,
  },
  detail: { fontSize: tokens.fontSizeBase200, lineHeight: tokens.lineHeightBase200 },
  minor: { color: tokens.colorNeutralForeground3 },
  reason: { display: 'flex', columnGap: tokens.spacingHorizontalXS, '& svg': { flexShrink: 0 } },
  for: { color: tokens.colorStatusSuccessForeground1 },
  against: { color: tokens.colorStatusDangerForeground1 },
  check: { verticalAlign: 'text-bottom', color: tokens.colorCompoundBrandForeground1 },
});

const hasRows = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(draggedRows);

type CandidateOptionProps = {
  readonly id: string;
  readonly number: number;
  readonly candidate: DraftCandidate;
  /**
   * `shared`: the reasons that all candidates have in common, which are left out. `differs`: for each part of
   * `partsOf`, whether the candidates differ in it.
   */
  readonly shared: readonly MatchReason[];
  readonly differs: readonly boolean[];
  readonly active: boolean;
  readonly chosen: boolean;
  readonly onClick: () => void;
  readonly onDrop: () => void;
};

const CandidateOption = (props: CandidateOptionProps) => {
  const { id, number, candidate, shared, differs, active, chosen, onClick, onDrop } = props;
  const styles = useCandidateOptionStyles();
  const [over, setOver] = useState(false);
  const { assignment, reasons } = candidate;
  const parts = partsOf(candidate);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    <div
      id={id}
      role="option"
      aria-selected={active}
      data-number={number}
      className={mergeClasses(
        styles.option,
        number < 10 && styles.numbered,
        active && styles.active,
        over && styles.over,
      )}
      // The field keeps the focus, because the next Enter is for the next folder.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
      onDragOver={(event) => {
        if (!hasRows(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        // Files that are dragged from another program are left to the page, which accepts them anywhere.
        if (!hasRows(event)) return;
        event.preventDefault();
        setOver(false);
        onDrop();
      }}
    >
      <span className={styles.name}>
        {(assignment && placeText(assignment)) || targetText(candidate)}
        {chosen && ' '}
        {chosen && <Checkmark16Filled className={styles.check} aria-label={t('newUpload.panel.chosen')} />}
      </span>
      <div className={mergeClasses(styles.parts, styles.detail)}>
        {parts.map(
          (part, at) =>
            // The certainty, which is the last part, is shown above the list. It is repeated here only if the
            // candidates differ in it.
            (at < parts.length - 1 || differs[at]) && (
              // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position.
              <span key={at} className={differs[at] ? styles.name : styles.minor}>
                {part}
              </span>
            ),
        )}
      </div>
      <Reasons reasons={reasons.filter((reason) => !isAmong(shared, reason))} />
    </div>
  );
};

const Reasons = ({ reasons }: { readonly reasons: readonly MatchReason[] }) => {
  const styles = useCandidateOptionStyles();
  return reasons.map((reason) => {
    const isFor = speaksFor(reason);
    const Icon = isFor === undefined ? Question16Regular : isFor ? CheckmarkCircle16Regular : SubtractCircle16Regular;
    const text = reasonText(reason);
    return (
      <div key={text} className={mergeClasses(styles.detail, styles.reason)}>
        <Icon className={isFor === undefined ? styles.minor : isFor ? styles.for : styles.against} aria-hidden="true" />
        {text}
      </div>
    );
  });
};
