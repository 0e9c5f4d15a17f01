import { Button, Checkbox, makeStyles, Text, Tooltip, tokens } from '@fluentui/react-components';
import { Dismiss20Regular, Warning16Regular } from '@fluentui/react-icons';
import { type Ref, useState } from 'react';
import type { DraftCandidate, DraftRow } from '../../../contract/drafts.ts';
import type { OnClash } from '../../../contract/uploads.ts';
import { useAlike, useCandidates } from '../../queries/drafts.ts';
import { useOnChange } from '../../ui/hooks.ts';
import { bareList, lines } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';
import { CandidateBox } from './candidate-box.tsx';
import { CertaintyBadge } from './certainty-badge.tsx';
import { ClashList } from './clash-list.tsx';
import { Renames } from './renames.tsx';
import { rowCertainty, rowName, warningText } from './row-words.ts';

const useStyles = makeStyles({
  panel: {
    boxSizing: 'border-box',
    position: 'absolute',
    inset: 0,
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    overflow: 'auto',
    padding: tokens.spacingHorizontalM,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    '@media (max-width: 1099px)': {
      position: 'fixed',
      zIndex: 2,
      inset: 'auto',
      insetBlockEnd: tokens.spacingVerticalL,
      insetInlineEnd: tokens.spacingHorizontalL,
      width: '360px',
      maxHeight: 'calc(100vh - 60px)',
      boxShadow: tokens.shadow16,
    },
    // At 400 % zoom it is the whole window: beside it, or in a part of it, nothing could be read.
    '@media (max-width: 479px), (max-height: 320px)': {
      insetBlockStart: 0,
      insetBlockEnd: 0,
      insetInlineStart: 0,
      insetInlineEnd: 0,
      width: 'auto',
      maxHeight: 'none',
      border: 'none',
      borderRadius: 0,
    },
    '& > *': { flexShrink: 0 },
    '@media print': { display: 'none' },
  },
  header: { display: 'flex', alignItems: 'flex-start', gap: tokens.spacingHorizontalS },
  title: { ...lines(3), flexGrow: 1, margin: `${tokens.spacingVerticalXS} 0`, fontSize: tokens.fontSizeBase400 },
  minor: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere' },
  warnings: { ...bareList, display: 'flex', flexDirection: 'column' },
  warning: { display: 'flex', gap: tokens.spacingHorizontalXS, overflowWrap: 'anywhere' },
  icon: { flexShrink: 0, marginTop: '2px', color: tokens.colorStatusWarningForeground3 },
});

type RowPanelProps = {
  readonly row: DraftRow;
  /** How many rows are selected: a choice is for all of them. */
  readonly selected: number;
  readonly input: Ref<HTMLInputElement>;
  /** `alike`: the rows that the choice is for as well. */
  readonly onChoose: (candidate: DraftCandidate, alike: readonly number[]) => void;
  /** A candidate that rows were dragged to. */
  readonly onDrop: (candidate: DraftCandidate) => void;
  readonly onTakePart: (takes: boolean) => void;
  readonly onClash: (onClash: OnClash, paths?: readonly string[]) => void;
  readonly onClose: () => void;
};

/** What the name of a folder says may leave out the assignment that a person chose for it. */
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

/** One folder of the draft: what to look at again, and where it can go. */
export const RowPanel = ({ row, selected, input, onChoose, onDrop, onTakePart, onClash, onClose }: RowPanelProps) => {
  const styles = useStyles();
  const [text, setText] = useState('');
  const [forAlike, setForAlike] = useState(false);
  useOnChange(row.rowId, () => {
    setText('');
    setForAlike(false);
  });
  const answer = useCandidates(row.rowId, text);
  const alike = useAlike(row.rowId);
  const others = alike?.rowId === row.rowId ? alike.rowIds.filter((id) => id !== row.rowId) : [];
  const isLeftOut = row.choice === 'left-out';
  const isAnswered = answer?.rowId === row.rowId;
  return (
    <aside className={styles.panel} aria-label={t('newUpload.panel.label')}>
      <div className={styles.header}>
        <h2 className={styles.title} title={row.path} translate="no">
          {rowName(row)}
        </h2>
        <Tooltip content={t('newUpload.panel.close')} relationship="label">
          <Button appearance="subtle" icon={<Dismiss20Regular />} onClick={onClose} />
        </Tooltip>
      </div>
      <div>
        <CertaintyBadge certainty={rowCertainty(row)} />
      </div>
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
      <CandidateBox
        question={row.rowId}
        input={input}
        text={text}
        onText={setText}
        candidates={isAnswered ? withChosen(answer.candidates, row, answer.text) : undefined}
        total={answer?.total ?? 0}
        ready={isAnswered && answer.text === text}
        chosenId={row.choice === 'assignment' ? row.AssignmentId : undefined}
        onChoose={(candidate, all) => onChoose(candidate, all || forAlike ? others : [])}
        onLeaveOut={() => onTakePart(false)}
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
      <div>
        <Button onClick={() => onTakePart(isLeftOut)}>
          {isLeftOut ? t('newUpload.panel.takeIn') : t('newUpload.panel.leaveOut')}
        </Button>
      </div>
    </aside>
  );
};
