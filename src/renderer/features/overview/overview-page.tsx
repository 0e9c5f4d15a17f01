import { NewUploadButton } from '../../domain/actions.tsx';
import { FailureBar } from '../../domain/errors.tsx';
import { RefreshButton } from '../../domain/readings.tsx';
import { useProjects } from '../../queries/query.tsx';
import { useSnapshot } from '../../state/store.tsx';
import { eagerly } from '../../ui/lazy.tsx';
import { Page } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { WorkPart } from './work-part.tsx';

const Attention = eagerly(async () => (await import('./panels.tsx')).Attention);
const ChangePanel = eagerly(async () => (await import('./panels.tsx')).ChangePanel);
const KnownText = eagerly(async () => (await import('./panels.tsx')).KnownText);
const Panels = eagerly(async () => (await import('./panels.tsx')).Panels);

export const OverviewPage = () => {
  // The page also reads the assignments for projects, because the protocols' lists of assignments may lack them.
  const { value: reading, error, busy, reload } = useProjects();
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
