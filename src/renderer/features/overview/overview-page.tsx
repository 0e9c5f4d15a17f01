import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { Overview } from '../../../contract/app.ts';
import { isPending, type OfflineStatus } from '../../../contract/offline.ts';
import { type AssignmentList, type AssignmentSummary, assignmentName } from '../../../contract/resources.ts';
import { hasEnded } from '../../../contract/uploads.ts';
import { ActionButton, OpenButton } from '../../domain/actions.tsx';
import { StatusBadge, statusName } from '../../domain/assignments/assignments.tsx';
import { PendingChanges } from '../../domain/assignments/changes.tsx';
import { availableText, OfflineData } from '../../domain/offline.tsx';
import { OpenLink } from '../../domain/open-link.tsx';
import { SeverityBadge, severityName, worstFirst } from '../../domain/protocols.tsx';
import { Answered, ReadingView, RefreshButton, UnreadableNote } from '../../domain/readings.tsx';
import { UploadCard } from '../../domain/uploads/batch-view.tsx';
import { groupUploads, type Upload } from '../../domain/uploads/whole-upload.ts';
import { ReviewWatched, watchedTexts } from '../../domain/watched.tsx';
import { useAssignment, useKnownFiles, useOverview, useProjects } from '../../queries/answers.ts';
import type { ReadingState } from '../../queries/query.tsx';
import { useApp, useDesk, useSnapshot } from '../../state/context.tsx';
import { type Bar, BarList, ColumnChart } from '../../ui/charts.tsx';
import { useNow } from '../../ui/hooks.ts';
import { Line, Minor, Page, PageBody, Part, StackList } from '../../ui/page.tsx';
import { bareList, lines } from '../../ui/styles.ts';
import { formatAge } from '../../words/amounts.ts';
import { formatMonth } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

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

/** Everything that needs attention, with links to it. */
export const OverviewPage = () => {
  const styles = useStyles();
  const now = useNow(60_000);
  const counted = useOverview();
  const offline = useSnapshot((snapshot) => snapshot.offline);
  const projects = useProjects();
  const refresh = (): void => {
    counted.reload();
    projects.reload();
  };
  return (
    <Page
      title={t('overview.title')}
      subtitle={headingText(offline, counted.value, now)}
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
            <Answered {...counted} loading={t('overview.loading')} lines={4}>
              {(overview) => (
                <>
                  <MonthPanel overview={overview} />
                  <SeverityPanel overview={overview} />
                </>
              )}
            </Answered>
          </div>
        </div>
      </PageBody>
    </Page>
  );
};

const shown = 4;

/** Whether the upload is in progress, waits for the user, or has failed files. */
const needsAttention = ({ whole }: Upload): boolean =>
  !hasEnded(whole) || (whole.state === 'finished' && whole.failed + (whole.notReplaced ?? 0) > 0);

/** The uploads that need attention. */
const UploadPanel = () => {
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const uploads = groupUploads(batches).filter(needsAttention);
  return (
    <Part
      title={t('overview.uploads')}
      actions={
        <OpenButton appearance="subtle" place={{ name: 'uploads' }}>
          {t('overview.allUploads')}
        </OpenButton>
      }
    >
      {uploads.length === 0 ? (
        <Text>{batches.length === 0 ? t('uploads.emptyHint') : t('overview.noUploads')}</Text>
      ) : (
        <StackList label={t('overview.uploads')}>
          {uploads.slice(0, shown).map((upload) => (
            <UploadCard key={upload.uploadId} upload={upload} />
          ))}
        </StackList>
      )}
    </Part>
  );
};

/** How many of `rows` have each status, the most frequent first. */
const byStatus = (rows: readonly AssignmentSummary[], open: (status: string) => void): readonly Bar[] =>
  [...Map.groupBy(rows, (row) => row.AssignmentStatus)]
    .map(([status, { length }]) => ({
      key: status,
      name: statusName(status),
      show: <StatusBadge status={status} />,
      count: length,
      open: () => open(status),
    }))
    .sort((a, b) => b.count - a.count);

/** The assignments for projects by status; each status opens its assignments. */
const StatusPanel = ({ state }: { readonly state: ReadingState<AssignmentList> }) => {
  const open = useApp((state) => state.open);
  return (
    <Part title={t('overview.statuses')}>
      <ReadingView state={state} loading={t('assignment.loading')}>
        {({ Items }, { unreadable }) => (
          <>
            {Items.length === 0 ? (
              <Text>{t('overview.noAssignments')}</Text>
            ) : (
              <BarList
                label={t('overview.statuses')}
                bars={byStatus(Items, (status) => open({ name: 'projects', status }))}
              />
            )}
            <UnreadableNote count={unreadable} />
          </>
        )}
      </ReadingView>
    </Part>
  );
};

const useWatchedPanelStyles = makeStyles({
  text: { flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' },
  minor: lines(3),
});

/** The watched folders that need attention; nothing without one. */
const WatchedPanel = () => {
  const styles = useWatchedPanelStyles();
  const folders = useSnapshot((snapshot) => snapshot.watchedFolders);
  if (folders.length === 0) return null;
  return (
    <Part
      title={t('watched.title')}
      actions={
        <OpenButton appearance="subtle" place={{ name: 'watched-folders' }}>
          {t('watched.all')}
        </OpenButton>
      }
    >
      <StackList label={t('watched.title')}>
        {folders.map((folder) => (
          <li key={folder.watchedId}>
            <Line>
              <div className={styles.text}>
                <Text weight="semibold" block>
                  {folder.name}
                </Text>
                <Minor size={200} className={styles.minor}>
                  {watchedTexts(folder).join(' ')}
                </Minor>
              </div>
              <ReviewWatched folder={folder} />
            </Line>
          </li>
        ))}
      </StackList>
    </Part>
  );
};

type Counts = { readonly overview: Overview };

/** The inspection points in the offline data by severity, worst first; each severity opens the protocols that have it. */
export const SeverityPanel = ({ overview }: Counts) => {
  const open = useApp((state) => state.open);
  return (
    <Part title={t('overview.severities')}>
      {overview.pointsBySeverity.length === 0 ? (
        <Text>{t('overview.noPoints')}</Text>
      ) : (
        <BarList
          label={t('overview.severities')}
          bars={worstFirst(overview.pointsBySeverity, ({ value }) => value).map(({ value, count }) => ({
            key: value,
            name: severityName(value),
            show: <SeverityBadge severity={value} />,
            count,
            open: () => open({ name: 'protocols', severity: value }),
          }))}
        />
      )}
    </Part>
  );
};

/** The year of a month such as "2026-03". */
const yearOf = (month = ''): string => month.slice(0, 4);

/** As many months as fit side by side. */
const shownMonths = 12;

/** The protocols in the offline data by the month of their inspection; each month opens its protocols. */
const MonthPanel = ({ overview }: Counts) => {
  const open = useApp((state) => state.open);
  return (
    <Part title={t('overview.months')}>
      {overview.protocolsByMonth.length === 0 ? (
        <Text>{t('overview.noProtocols')}</Text>
      ) : (
        <ColumnChart
          label={t('overview.months')}
          columns={overview.protocolsByMonth
            .slice(-shownMonths)
            .map(({ value, count, fromMs, beforeMs }, index, shown) => ({
              key: value,
              name: formatMonth(value, 'long'),
              short: formatMonth(value, 'short'),
              // Months without a protocol are missing, so each year is named at its first month.
              under: yearOf(value) === yearOf(shown[index - 1]?.value) ? '' : yearOf(value),
              count,
              open: () => open({ name: 'protocols', month: { value, from: fromMs, before: beforeMs } }),
            }))}
        />
      )}
    </Part>
  );
};

const useChangePanelStyles = makeStyles({
  name: { ...lines(2), textAlign: 'start' },
  list: { ...bareList, display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL },
});

/** The pending changes to one assignment below its name, which opens it. */
const AssignmentChanges = ({ id }: { readonly id: string }) => {
  const styles = useChangePanelStyles();
  const seen = useApp((state) => state.assignments[id]);
  const { value: known } = useAssignment(id);
  const { value: files } = useKnownFiles(id);
  const summary = seen ?? known?.assignment;
  const name = (summary && assignmentName(summary)) || t('overview.changesOf', { id });
  return (
    <li>
      <OpenLink
        className={styles.name}
        title={name}
        place={{ name: 'assignment', AssignmentId: id, summary, section: 'overview' }}
      >
        {name}
      </OpenLink>
      <PendingChanges id={id} files={files} />
    </li>
  );
};

/**
 * The changes that the service has not accepted, by assignment. Nothing if there are none. `onSent` is called after a retry:
 * the service may be reachable again.
 */
const ChangePanel = ({ onSent }: { readonly onSent: () => void }) => {
  const styles = useChangePanelStyles();
  const { outbox } = useDesk();
  const entries = useSnapshot((snapshot) => snapshot.outbox);
  if (entries.length === 0) return null;
  return (
    <Part
      title={t('overview.changes')}
      actions={
        entries.some(isPending) && (
          <ActionButton size="small" act={() => outbox.send().then(onSent)}>
            {t('overview.sendChanges')}
          </ActionButton>
        )
      }
    >
      <ul className={styles.list}>
        {[...new Set(entries.map(({ AssignmentId }) => AssignmentId))].map((id) => (
          <AssignmentChanges key={id} id={id} />
        ))}
      </ul>
    </Part>
  );
};
