import { makeStyles, tokens } from '@fluentui/react-components';
import type { Overview } from '../../../contract/app.ts';
import type { OfflineStatus } from '../../../contract/offline.ts';
import { Failure } from '../../domain/errors/failure.tsx';
import { availableText } from '../../domain/offline/available-text.ts';
import { OfflineData } from '../../domain/offline/offline-data.tsx';
import { RefreshButton } from '../../domain/readings/refresh-button.tsx';
import { useProjects } from '../../queries/assignments.ts';
import { useOverview } from '../../queries/overview.ts';
import { useSnapshot } from '../../state/context.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { useNow } from '../../ui/use-now.ts';
import { formatAge } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';
import { MonthPanel, SeverityPanel } from './cache-panels.tsx';
import { ChangePanel } from './change-panel.tsx';
import { StatusPanel } from './status-panel.tsx';
import { UploadPanel } from './upload-panel.tsx';
import { WatchedPanel } from './watched-panel.tsx';

const useStyles = makeStyles({
  panels: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 400px), 1fr))',
    alignItems: 'start',
    gap: `${tokens.spacingVerticalXXL} ${tokens.spacingHorizontalXXXL}`,
  },
  column: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXXL, minWidth: 0 },
});

/** How much offline data there is; while everything is being made available offline, the progress of that. */
const headingText = (offline: OfflineStatus, counted: Overview | undefined, now: number): string | undefined => {
  if (offline.state !== 'idle' && offline.total > 0) return availableText(offline);
  if (counted?.oldestFetchedAtMs === undefined) return undefined;
  return t('overview.age', { count: counted.protocols, age: formatAge(counted.oldestFetchedAtMs, now) });
};

/** What needs attention, at a glance, with the way to each. */
export const OverviewPage = () => {
  const styles = useStyles();
  const now = useNow(60_000);
  const { value, error, reload } = useOverview();
  const offline = useSnapshot((snapshot) => snapshot.offline);
  const projects = useProjects();
  const refresh = (): void => {
    reload();
    projects.reload();
  };
  return (
    <Page
      title={t('overview.title')}
      subtitle={headingText(offline, value, now)}
      actions={<RefreshButton busy={projects.busy} onClick={refresh} />}
    >
      <PageBody>
        <div className={styles.panels}>
          <div className={styles.column}>
            <ChangePanel onSent={refresh} />
            <UploadPanel />
            <WatchedPanel />
            <OfflineData />
          </div>
          <div className={styles.column}>
            <StatusPanel state={projects} />
            {error !== undefined && <Failure error={error} onRetry={reload} />}
            {value === undefined && error === undefined && <Loading label={t('overview.loading')} lines={4} />}
            {value !== undefined && (
              <>
                <MonthPanel overview={value} />
                <SeverityPanel overview={value} />
              </>
            )}
          </div>
        </div>
      </PageBody>
    </Page>
  );
};
