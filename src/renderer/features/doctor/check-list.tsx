import { makeStyles, Text, tokens } from '@fluentui/react-components';
import {
  CheckmarkCircle20Filled,
  ErrorCircle20Filled,
  type FluentIcon,
  SubtractCircle20Regular,
  Warning20Filled,
} from '@fluentui/react-icons';
import type { DoctorCheck, DoctorReport } from '../../../contract/doctor.ts';
import { type DoctorWords, speakCheck } from '../../../words/speech/doctor-text.ts';
import { errorText, spokenLocale } from '../../words/words.ts';

const useStyles = makeStyles({
  list: { listStyle: 'none', margin: 0, padding: 0 },
  check: {
    display: 'grid',
    gridTemplateColumns: '20px minmax(0, 1fr) auto',
    columnGap: tokens.spacingHorizontalM,
    alignItems: 'baseline',
    padding: `${tokens.spacingVerticalS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
  },
  icon: { alignSelf: 'start' },
  ok: { color: tokens.colorStatusSuccessForeground1 },
  warning: { color: tokens.colorStatusWarningForeground1 },
  failed: { color: tokens.colorStatusDangerForeground1 },
  skipped: { color: tokens.colorNeutralForeground3 },
  texts: { display: 'flex', flexDirection: 'column', overflowWrap: 'anywhere' },
  name: { fontWeight: tokens.fontWeightSemibold, '::first-letter': { textTransform: 'uppercase' } },
  minor: { color: tokens.colorNeutralForeground3, fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
});

const ICONS: Readonly<Record<DoctorCheck['state'], FluentIcon>> = {
  ok: CheckmarkCircle20Filled,
  warning: Warning20Filled,
  failed: ErrorCircle20Filled,
  skipped: SubtractCircle20Regular,
};

type CheckListProps = { readonly report: DoctorReport; readonly words: DoctorWords };

/** Every check with its verdict, what was found, and what to do; those that failed come first. */
export const CheckList = ({ report, words }: CheckListProps) => {
  const styles = useStyles();
  const order = ['failed', 'warning', 'ok', 'skipped'];
  const checks = report.checks.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
  return (
    <ul className={styles.list}>
      {checks.map((one) => {
        const { check, verdict, found, todo } = speakCheck(one, words, { errorText }, spokenLocale());
        const Icon = ICONS[one.state];
        return (
          <li key={`${check} ${one.error?.code ?? ''}`} className={styles.check}>
            <Icon className={`${styles.icon} ${styles[one.state]}`} aria-label={verdict} />
            <div className={styles.texts}>
              <Text className={styles.name}>{check}</Text>
              <Text>{found}</Text>
              {todo !== '' && <Text>{todo}</Text>}
            </div>
            <Text className={styles.minor}>{one.ms} ms</Text>
          </li>
        );
      })}
    </ul>
  );
};
