import { makeStyles, tokens } from '@fluentui/react-components';
import {
  ArrowUpload16Regular,
  CheckmarkCircle16Filled,
  Clock16Regular,
  CloudCheckmark16Regular,
  Delete16Regular,
  ErrorCircle16Filled,
  type FluentIcon,
  QuestionCircle16Filled,
  SubtractCircle16Regular,
} from '@fluentui/react-icons';
import type { FoundState } from '../../../contract/files.ts';
import { t } from '../../words/words.ts';

type Look = { readonly Icon: FluentIcon; readonly tone: 'calm' | 'good' | 'bad' };

const looks: Readonly<Record<FoundState, Look>> = {
  queued: { Icon: Clock16Regular, tone: 'calm' },
  signing: { Icon: ArrowUpload16Regular, tone: 'calm' },
  sending: { Icon: ArrowUpload16Regular, tone: 'calm' },
  done: { Icon: CheckmarkCircle16Filled, tone: 'good' },
  skipped: { Icon: CheckmarkCircle16Filled, tone: 'calm' },
  failed: { Icon: ErrorCircle16Filled, tone: 'bad' },
  uncertain: { Icon: QuestionCircle16Filled, tone: 'bad' },
  cancelled: { Icon: SubtractCircle16Regular, tone: 'calm' },
  removed: { Icon: Delete16Regular, tone: 'calm' },
  reported: { Icon: CloudCheckmark16Regular, tone: 'calm' },
};

const useStyles = makeStyles({
  state: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    verticalAlign: 'middle',
  },
  calm: { color: tokens.colorNeutralForeground3 },
  good: { color: tokens.colorStatusSuccessForeground1 },
  bad: { color: tokens.colorStatusDangerForeground1 },
});

/** The state of a file in words. */
export const foundStateName = (state: FoundState): string =>
  state === 'removed' || state === 'reported' ? t(`files.${state}`) : t(`uploads.fileState.${state}`);

type FileStateTextProps = {
  readonly state: FoundState;
  /** Whether its upload is in progress and waits for nothing. Otherwise a file in progress waits with it. */
  readonly goesOn: boolean;
};

/** The state of a file: a word with an icon. */
export const FileStateText = ({ state, goesOn }: FileStateTextProps) => {
  const styles = useStyles();
  const isBegun = state === 'signing' || state === 'sending';
  const shown = isBegun && !goesOn ? 'queued' : state;
  const { Icon, tone } = looks[shown];
  return (
    <span className={styles.state}>
      <Icon className={styles[tone]} aria-hidden="true" />
      {foundStateName(shown)}
    </span>
  );
};
