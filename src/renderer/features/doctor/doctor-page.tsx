import { Button, Checkbox, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { useId, useState } from 'react';
import type { DoctorCheck, DoctorReport } from '../../../contract/doctor.ts';
import { reportText, speakCheck } from '../../../words/doctor-text.ts';
import { CallResult } from '../../domain/readings.tsx';
import { useCallQuery } from '../../queries/query.tsx';
import { useAction, useDesk } from '../../state/store.tsx';
import { Page } from '../../ui/page.tsx';
import { bareList } from '../../ui/styles.ts';
import { TextBadge, type TextBadgeProps } from '../../ui/text-badge.tsx';
import { speech, t } from '../../words/words.ts';

const verdictOf = ({ checks }: DoctorReport): string => {
  const count = (wanted: DoctorCheck['state']): number => checks.filter(({ state }) => state === wanted).length;
  if (count('failed') > 0) return t('doctorPage.failed', { count: count('failed') });
  if (count('warning') > 0) return t('doctorPage.warned', { count: count('warning') });
  return t('doctorPage.well');
};

export const DoctorPage = () => {
  const { doctor } = useDesk();
  // A run is cancelled if the page is closed meanwhile.
  const doctorRun = useCallQuery({ queryKey: ['doctor.run'], queryFn: ({ signal }) => doctor.run(signal) });
  const { value: report, busy, reload } = doctorRun;
  const [withDumps, setWithDumps] = useState(false);
  const hintId = useId();
  const dumps = report?.crashDumps.length ?? 0;
  const [said, say] = useState('');
  const again = (): void => {
    say('');
    reload();
  };
  const copy = (text: string): void =>
    void navigator.clipboard.writeText(text).then(
      () => say(t('shell.copied')),
      () => say(t('shell.copyImpossible')),
    );
  const save = useAction(async () => {
    const saved = await doctor.saveBundle({ crashDumps: withDumps && dumps > 0 });
    if (saved) say(t('doctorPage.saved', { path: saved.path }));
  });
  return (
    <Page
      title={t('doctorPage.title')}
      subtitle={<span role="status">{busy ? t('doctorPage.checking') : report && verdictOf(report)}</span>}
      actions={
        <>
          <Button disabledFocusable={busy} onClick={again}>
            {t('doctorPage.again')}
          </Button>
          <Button
            disabledFocusable={busy || report === undefined}
            onClick={() => report && copy(reportText(report, speech()))}
          >
            {t('doctorPage.copy')}
          </Button>
          <Button disabledFocusable={busy || save.busy} onClick={() => save.run()}>
            {t('doctorPage.save')}
          </Button>
        </>
      }
    >
      <div>
        <Text block>{t('doctorPage.explained')}</Text>
        <Text block>{t('doctorPage.saveHint')}</Text>
        {dumps > 0 && (
          <>
            <Checkbox
              label={t('doctorPage.crashDumps', { count: dumps })}
              checked={withDumps}
              aria-describedby={hintId}
              onChange={(_, { checked }) => setWithDumps(checked === true)}
            />
            <Text block id={hintId}>
              {t('doctorPage.crashDumpsHint')}
            </Text>
          </>
        )}
        <Text block role="status">
          {said}
        </Text>
      </div>
      <CallResult {...doctorRun} loading={t('doctorPage.checking')}>
        {(report) => <CheckList report={report} />}
      </CallResult>
    </Page>
  );
};

const useCheckListStyles = makeStyles({
  list: bareList,
  check: { padding: `${tokens.spacingVerticalS} 0`, borderBottom: `1px solid ${tokens.colorNeutralStroke3}` },
  // The results have a minimum width, so that the names of the checks after them are aligned.
  line: {
    display: 'grid',
    gridTemplateColumns: 'minmax(88px, max-content) 1fr',
    alignItems: 'start',
    columnGap: tokens.spacingHorizontalM,
  },
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

const CheckList = ({ report }: { readonly report: DoctorReport }) => {
  const styles = useCheckListStyles();
  const checks = report.checks.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
  return (
    <ul className={styles.list}>
      {checks.map((one) => {
        const { check, verdict, found, todo } = speakCheck(one, speech());
        return (
          <li key={`${check} ${one.error?.code ?? ''}`} className={styles.check}>
            <div className={styles.line}>
              <TextBadge text={verdict} color={COLORS[one.state]} />
              <div>
                <Text className={mergeClasses(styles.text, styles.name)}>{check}</Text>
                <Text className={styles.text}>{found}</Text>
                {todo !== '' && <Text className={styles.text}>{todo}</Text>}
              </div>
            </div>
          </li>
        );
      })}
    </ul>
  );
};
