import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { DoctorCheck, DoctorReport } from '../../../contract/doctor.ts';
import { type DoctorWords, speakCheck } from '../../../words/doctor-text.ts';
import { bareList } from '../../ui/bare.ts';
import { TextBadge, type TextBadgeProps } from '../../ui/text-badge.tsx';
import { errorText, spokenLocale } from '../../words/words.ts';

const useStyles = makeStyles({
  list: bareList,
  check: { padding: `${tokens.spacingVerticalS} 0`, borderBottom: `1px solid ${tokens.colorNeutralStroke3}` },
  line: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: tokens.spacingHorizontalM },
  name: { fontWeight: tokens.fontWeightSemibold, '::first-letter': { textTransform: 'uppercase' } },
  text: { display: 'block', overflowWrap: 'anywhere' },
});

const COLORS: Readonly<Record<DoctorCheck['state'], TextBadgeProps['color']>> = {
  failed: 'danger',
  warning: 'warning',
  ok: 'success',
  skipped: 'subtle',
};
const ORDER = Object.keys(COLORS);

type CheckListProps = { readonly report: DoctorReport; readonly words: DoctorWords };

/** Every check with its verdict, what was found, and what to do; those that failed come first. */
export const CheckList = ({ report, words }: CheckListProps) => {
  const styles = useStyles();
  const checks = report.checks.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
  return (
    <ul className={styles.list}>
      {checks.map((one) => {
        const { check, verdict, found, todo } = speakCheck(one, words, { errorText }, spokenLocale());
        return (
          <li key={`${check} ${one.error?.code ?? ''}`} className={styles.check}>
            <div className={styles.line}>
              <Text className={styles.name}>{check}</Text>
              <TextBadge text={verdict} color={COLORS[one.state]} />
              <Text>{one.ms} ms</Text>
            </div>
            <Text className={styles.text}>{found}</Text>
            {todo !== '' && <Text className={styles.text}>{todo}</Text>}
          </li>
        );
      })}
    </ul>
  );
};
