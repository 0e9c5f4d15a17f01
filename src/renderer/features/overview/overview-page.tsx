import { FailureBar } from '../../domain/errors.tsx';
import { availableText } from '../../domain/offline.tsx';
import { RefreshButton } from '../../domain/readings.tsx';
import { useProjects } from '../../queries/answers.ts';
import { useWorkList } from '../../queries/work.ts';
import { useSnapshot } from '../../state/context.tsx';
import { later } from '../../ui/later.tsx';
import { Page, PageBody } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { WorkPart } from './work-part.tsx';

const ChangePanel = later(async () => (await import('./panels.tsx')).ChangePanel);
const Panels = later(async () => (await import('./panels.tsx')).Panels);

/** How much is known; while everything is being made available offline, the progress of that. */
const KnownText = () => {
  const offline = useSnapshot((snapshot) => snapshot.offline);
  const { value } = useWorkList({}, []);
  if (offline.state !== 'idle' && offline.total > 0) return availableText(offline);
  return value && value.known > 0 && t('work.known', { count: value.known });
};

/** What is to do, and everything else that needs attention. */
export const OverviewPage = () => {
  // The assignments for projects are in no protocol: nothing else would read them.
  const { reading, error, busy, reload } = useProjects();
  const hasChanges = useSnapshot(({ outbox }) => outbox.length > 0);
  return (
    <Page title={t('overview.title')} subtitle={<KnownText />} actions={<RefreshButton busy={busy} onClick={reload} />}>
      <PageBody>
        {error !== undefined && <FailureBar error={error} onRetry={reload} />}
        {hasChanges && <ChangePanel onSent={reload} />}
        <WorkPart isLoading={busy && reading === undefined} />
        <Panels />
      </PageBody>
    </Page>
  );
};
