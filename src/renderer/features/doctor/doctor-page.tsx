import { Button, Text } from '@fluentui/react-components';
import { use, useState } from 'react';
import type { DoctorCheck, DoctorReport } from '../../../contract/doctor.ts';
import { countText, type DoctorWords, reportText } from '../../../words/doctor-text.ts';
import { Failure } from '../../domain/errors/failure.tsx';
import { useDoctor } from '../../queries/doctor.ts';
import { useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { errorText, spokenLocale, t } from '../../words/words.ts';
import { CheckList } from './check-list.tsx';
import { doctorWords } from './doctor-words.ts';

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
