import { Button, Text } from '@fluentui/react-components';
import { use, useState } from 'react';
import { type DoctorWords, reportText } from '../../../words/speech/doctor-text.ts';
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

const verdictOf = (failed: number, words: DoctorWords): string => {
  if (failed === 0) return words.well;
  return (failed === 1 ? words.failed_one : words.failed_other).replace('{{count}}', String(failed));
};

/** Whether this computer, the network and the service have what the app needs; and a file for support. */
export const DoctorPage = () => {
  const locale = spokenLocale();
  const words = use(doctorWords(locale));
  const { report, error, busy, run } = useDoctor();
  const { doctor } = useDesk();
  const [said, say] = useState('');
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
  const failed = report?.checks.filter(({ ok }) => !ok).length ?? 0;
  return (
    <Page
      title={words.title}
      subtitle={<span role="status">{busy ? words.checking : report && verdictOf(failed, words)}</span>}
      actions={
        <>
          <Button disabledFocusable={busy} onClick={run}>
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
