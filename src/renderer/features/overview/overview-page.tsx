import { compact } from 'es-toolkit';
import { NewUploadButton } from '../../domain/actions.tsx';
import { FailureBar } from '../../domain/errors.tsx';
import { availableText, listsText } from '../../domain/offline.tsx';
import { RefreshButton } from '../../domain/readings.tsx';
import { useProjects } from '../../queries/query.tsx';
import { useSnapshot } from '../../state/store.tsx';
import { eagerly } from '../../ui/lazy.tsx';
import { Page } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { useWorkList, WorkPart } from './work-part.tsx';

const Attention = eagerly(async () => (await import('./panels.tsx')).Attention);
const ChangePanel = eagerly(async () => (await import('./panels.tsx')).ChangePanel);
const Panels = eagerly(async () => (await import('./panels.tsx')).Panels);

/**
 * Says how many assignments are known, and shows the progress of reading the lists of assignments. Instead, shows the
 * progress of making everything available offline if that is running or paused and the number of protocols is known.
 */
const KnownText = () => {
  const offline = useSnapshot((snapshot) => snapshot.offline);
  const reading = useSnapshot((snapshot) => snapshot.reading);
  const { value } = useWorkList({}, []);
  if (offline.state !== 'idle' && offline.total > 0) return availableText(offline);
  return compact([
    value && value.known > 0 && t('work.known', { count: value.known }),
    reading?.stage === 'assignments' && listsText(reading),
  ]).join(' · ');
};

export const OverviewPage = () => {
  // The page also reads the assignments for projects, which the assignment lists of protocols can lack.
  const { reading, error, busy, reload } = useProjects();
  const hasChanges = useSnapshot(({ outbox }) => outbox.length > 0);
  return (
    <Page
      title={t('overview.title')}
      subtitle={<KnownText />}
      actions={
        <>
          <RefreshButton busy={busy} onClick={reload} />
          <NewUploadButton />
        </>
      }
    >
      {error !== undefined && <FailureBar error={error} onRetry={reload} />}
      <Attention />
      {hasChanges && <ChangePanel onSent={reload} />}
      <WorkPart isLoading={busy && reading === undefined} />
      <Panels />
    </Page>
  );
};
