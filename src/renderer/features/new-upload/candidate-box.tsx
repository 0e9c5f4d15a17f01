import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { Checkmark16Filled, Search20Regular } from '@fluentui/react-icons';
import { type DragEvent, type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useState } from 'react';
import type { DraftCandidate } from '../../../contract/drafts.ts';
import { isClosed } from '../../../contract/resources.ts';
import { rowAfterKey } from '../../ui/data-table/row-focus.ts';
import { useOnChange } from '../../ui/hooks.ts';
import { t } from '../../words/words.ts';
import { assignmentLines, certaintyName, certaintyOf, reasonText, targetText } from './row-words.tsx';

const useStyles = makeStyles({
  field: {
    display: 'flex',
    flexShrink: 0,
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    padding: `0 ${tokens.spacingHorizontalS}`,
    border: `1px solid ${tokens.colorNeutralStrokeAccessible}`,
    borderRadius: tokens.borderRadiusMedium,
    ':focus-within': { outline: `2px solid ${tokens.colorCompoundBrandStroke}`, outlineOffset: '-1px' },
  },
  input: {
    flexGrow: 1,
    minWidth: 0,
    height: '30px',
    border: 'none',
    outline: 'none',
    background: 'none',
    color: tokens.colorNeutralForeground1,
    font: 'inherit',
    '::placeholder': { color: tokens.colorNeutralForeground3 },
  },
  list: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS, ':empty': { display: 'none' } },
  note: { color: tokens.colorNeutralForeground2 },
});

/**
 * The candidate that Enter takes before a person has moved to another: the one that was chosen already, else the first that
 * still expects files; -1 for none. A closed one is taken only by a person who went to it, and so is another in place of one that
 * fits better.
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

/** The type of what is dragged when rows are: a list of ids, of which the page needs nothing but that it is there. */
export const draggedRows = 'application/x-draft-rows';

type CandidateBoxProps = {
  /** With another one, or another text, the highlight starts anew. */
  readonly question: number;
  readonly input: Ref<HTMLInputElement>;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Undefined while nothing is known. */
  readonly candidates: readonly DraftCandidate[] | undefined;
  readonly total: number;
  /** Whether `candidates` are those for the present row and text. */
  readonly ready: boolean;
  readonly chosenId: string | undefined;
  /** `alike`: the choice is for all folders like this one. */
  readonly onChoose: (candidate: DraftCandidate, alike: boolean) => void;
  readonly onLeaveOut: () => void;
  readonly onDrop: (candidate: DraftCandidate) => void;
  /** Shown above the list. */
  readonly children?: ReactNode;
};

/**
 * A search field and the assignments that a folder may go to. The focus stays in the field: arrow keys choose, Enter takes,
 * Space in the empty field leaves the folder out.
 */
export const CandidateBox = (props: CandidateBoxProps) => {
  const { input, text, onText, candidates = [], total, ready, chosenId, onChoose, onLeaveOut, onDrop } = props;
  const { question, children } = props;
  const styles = useStyles();
  const listId = useId();
  /** Where a person has moved the highlight to. */
  const [position, setPosition] = useState<number>();
  /** Enter was pressed before the answer to what was typed was there. */
  const [entered, enter] = useState<'one' | 'alike'>();
  useOnChange(question, () => {
    setPosition(undefined);
    enter(undefined);
  });
  const active = Math.min(position ?? preselected(candidates, chosenId, text !== ''), candidates.length - 1);
  const take = (alike: boolean): void => {
    const candidate = candidates[active];
    if (candidate !== undefined) onChoose(candidate, alike);
  };
  useEffect(() => {
    if (entered === undefined || !ready) return;
    enter(undefined);
    take(entered === 'alike');
  });
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, active]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const { key, ctrlKey, metaKey } = event;
    if (event.repeat && (key === 'Enter' || key === ' ')) {
      // A key that is held down must not decide about the next folder, too.
      event.preventDefault();
    } else if (key === 'Enter') {
      event.preventDefault();
      const alike = ctrlKey || metaKey;
      if (ready) take(alike);
      else enter(alike ? 'alike' : 'one');
    } else if (key === ' ' && text === '') {
      event.preventDefault();
      onLeaveOut();
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      setPosition(rowAfterKey(key, active, candidates.length) ?? 0);
    }
  };
  const onDragOver = (event: DragEvent): void => {
    if (event.dataTransfer.types.includes(draggedRows)) event.preventDefault();
  };
  const label = text === '' ? t('newUpload.panel.candidates') : t('newUpload.panel.found');
  return (
    <>
      <div className={styles.field}>
        <Search20Regular aria-hidden="true" />
        <input
          ref={input}
          className={styles.input}
          role="combobox"
          aria-label={t('newUpload.panel.search')}
          aria-expanded={candidates.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
          aria-describedby={`${listId}-hint`}
          placeholder={t('newUpload.panel.search')}
          value={text}
          spellCheck={false}
          onChange={({ target }) => {
            onText(target.value);
            setPosition(undefined);
            enter(undefined);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <Text id={`${listId}-hint`} size={200} className={styles.note}>
        {candidates.length > 0 && active < 0 ? t('newUpload.panel.closedHint') : t('newUpload.panel.hint')}
      </Text>
      {children}
      {ready && candidates.length === 0 && (
        <Text className={styles.note} role="status">
          {text.trim() === '' ? t('newUpload.panel.nothing') : t('newUpload.panel.nothingFound', { text: text.trim() })}
        </Text>
      )}
      <div id={listId} role="listbox" aria-label={label} className={styles.list}>
        {candidates.map((candidate, index) => (
          <CandidateOption
            key={candidate.AssignmentId}
            id={`${listId}-${index}`}
            candidate={candidate}
            active={index === active}
            chosen={candidate.AssignmentId === chosenId}
            onClick={() => onChoose(candidate, false)}
            onDragOver={onDragOver}
            onDrop={() => onDrop(candidate)}
          />
        ))}
      </div>
      {ready && total > candidates.length && (
        <Text size={200} className={styles.note}>
          {t('newUpload.panel.more', { count: total })}
        </Text>
      )}
    </>
  );
};

const useCandidateOptionStyles = makeStyles({
  option: {
    display: 'flex',
    flexDirection: 'column',
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalS}`,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    cursor: 'pointer',
    overflowWrap: 'anywhere',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
  },
  // Forced colours give all borders one colour; the outline is seen only in them.
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
  detail: { fontSize: tokens.fontSizeBase200, lineHeight: tokens.lineHeightBase200 },
  minor: { color: tokens.colorNeutralForeground3 },
  check: { verticalAlign: 'text-bottom', color: tokens.colorCompoundBrandForeground1 },
});

type CandidateOptionProps = {
  readonly id: string;
  readonly candidate: DraftCandidate;
  readonly active: boolean;
  /** Whether the folder goes there now. */
  readonly chosen: boolean;
  readonly onClick: () => void;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDrop: () => void;
};

/** One assignment that a folder may go to, with why. */
const CandidateOption = (props: CandidateOptionProps) => {
  const { id, candidate, active, chosen, onClick, onDragOver, onDrop } = props;
  const styles = useCandidateOptionStyles();
  const [over, setOver] = useState(false);
  const { assignment, certainty, reasons } = candidate;
  const lines = assignment && assignmentLines(assignment);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
    <div
      id={id}
      role="option"
      aria-selected={active}
      className={mergeClasses(styles.option, active && styles.active, over && styles.over)}
      // The field keeps the focus: the next Enter is for the next folder.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
      onDragOver={(event) => {
        onDragOver(event);
        setOver(event.defaultPrevented);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDrop();
      }}
    >
      <span className={styles.name}>
        {lines?.place || targetText(candidate)}
        {chosen && ' '}
        {chosen && <Checkmark16Filled className={styles.check} aria-label={t('newUpload.panel.chosen')} />}
      </span>
      {lines && <span className={styles.detail}>{lines.detail}</span>}
      <span className={mergeClasses(styles.detail, styles.minor)}>
        {[certaintyName(certaintyOf(certainty)), reasons.map(reasonText).join(' ')].filter(Boolean).join(' · ')}
      </span>
    </div>
  );
};
