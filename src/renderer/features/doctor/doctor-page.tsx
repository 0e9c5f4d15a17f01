import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { memoize } from 'es-toolkit';
import { use, useState } from 'react';
import type { DoctorCheck, DoctorReport } from '../../../contract/doctor.ts';
import { countText, type DoctorWords, reportText, speakCheck } from '../../../words/doctor-text.ts';
import { loadDoctorWords, spokenOf } from '../../../words/languages.ts';
import { Failure } from '../../domain/errors.tsx';
import { useDoctor } from '../../queries/answers.ts';
import { useAction, useDesk } from '../../state/context.tsx';
import { Loading, Page, PageBody } from '../../ui/page.tsx';
import { bareList } from '../../ui/styles.ts';
import { TextBadge, type TextBadgeProps } from '../../ui/text-badge.tsx';
import { errorText, spokenLocale, t } from '../../words/words.ts';

const verdictOf = ({ checks }: DoctorReport, words: DoctorWords, locale: string): string => {
  const count = (wanted: DoctorCheck['state']): number => checks.filter(({ state }) => state === wanted).length;
  if (count('failed') > 0) return countText('failed', count('failed'), words, locale);
  if (count('warning') > 0) return countText('warned', count('warning'), words, locale);
  return words.well;
};

/** Whether this computer, the network and the service have what the app needs; and a file for support. */
export const DoctorPage = () => {
  const locale = spokenLocale();
  const words = use(doctorWords(locale));
  const { report, error, busy, run } = useDoctor();
  const { doctor } = useDesk();
  const [said, say] = useState('');
  const again = (): void => {
    say('');
    run();
  };
  const copy = useAction(
    async () => {
      if (report) await navigator.clipboard.writeText(reportText(report, words, { errorText }, locale));
      say(words.copied);
    },
    () => say(t('shell.copyImpossible')),
  );
  const save = useAction(async () => {
    const saved = await doctor.saveBundle();
    if (saved) say(words.saved.replace('{{path}}', () => saved.path));
  });
  return (
    <Page
      title={words.title}
      subtitle={<span role="status">{busy ? words.checking : report && verdictOf(report, words, locale)}</span>}
      actions={
        <>
          <Button disabledFocusable={busy} onClick={again}>
            {words.again}
          </Button>
          <Button disabledFocusable={busy || report === undefined || copy.busy} onClick={() => copy.run()}>
            {words.copy}
          </Button>
          <Button disabledFocusable={busy || save.busy} onClick={() => save.run()}>
            {words.save}
          </Button>
        </>
      }
    >
      <PageBody>
        <div>
          <Text block>{words.explained}</Text>
          <Text block>{words.saveHint}</Text>
          <Text block role="status">
            {said}
          </Text>
        </div>
        {error !== undefined && <Failure error={error} onRetry={run} />}
        {error === undefined && report === undefined && <Loading label={words.checking} />}
        {report !== undefined && <CheckList report={report} words={words} />}
      </PageBody>
    </Page>
  );
};

/** The words of the page, in the language `locale`. They are loaded once, and only here. */
export const doctorWords = memoize(
  (locale: string): Promise<DoctorWords> => loadDoctorWords(locale === 'en-XA' ? 'pseudo' : (spokenOf(locale) ?? 'en')),
);

const useCheckListStyles = makeStyles({
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
const CheckList = ({ report, words }: CheckListProps) => {
  const styles = useCheckListStyles();
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
