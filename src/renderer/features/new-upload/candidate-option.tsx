import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { Checkmark16Filled } from '@fluentui/react-icons';
import { type DragEvent, useState } from 'react';
import type { DraftCandidate } from '../../../contract/drafts.ts';
import { t } from '../../words/words.ts';
import { assignmentLines, certaintyName, certaintyOf, reasonText, targetText } from './row-words.ts';

const useStyles = makeStyles({
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
export const CandidateOption = (props: CandidateOptionProps) => {
  const { id, candidate, active, chosen, onClick, onDragOver, onDrop } = props;
  const styles = useStyles();
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
