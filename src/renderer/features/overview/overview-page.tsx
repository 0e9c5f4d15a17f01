import { makeStyles, tokens } from '@fluentui/react-components';
import { useCallback, useEffect, useRef } from 'react';
import { useDesk, useSnapshot } from '../../app/context.tsx';
import { Failure } from '../../app/failure.tsx';
import { formatAge } from '../../ui/amounts.ts';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import { useAnswer } from '../../ui/use-answer.ts';
import { useNow } from '../../ui/use-now.ts';
import { useReading } from '../../ui/use-reading.ts';
import { t } from '../../words/words.ts';
import { KeepOffline } from '../offline/keep-offline.tsx';
import { MonthPanel, SeverityPanel } from './cache-panels.tsx';
import { ChangePanel } from './change-panel.tsx';
import { StatusPanel } from './status-panel.tsx';
import { UploadPanel } from './upload-panel.tsx';

const useStyles = makeStyles({
  panels: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 400px), 1fr))',
    alignItems: 'start',
    gap: `${tokens.spacingVerticalXXL} ${tokens.spacingHorizontalXXXL}`,
  },
  column: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXXL, minWidth: 0 },
});

/** What needs doing, at a glance; everything that can be done leads to where it is done. */
export const OverviewPage = () => {
  const styles = useStyles();
  const desk = useDesk();
  const now = useNow(60_000);
  const { value, error, reload } = useAnswer(useCallback(() => desk.overview.read(), [desk]));
  // What was kept meanwhile is counted.
  const completed = useSnapshot(({ offline }) => offline.completed);
  const counted = useRef(completed);
  useEffect(() => {
    if (counted.current === completed) return;
    counted.current = completed;
    reload();
  }, [completed, reload]);
  const projects = useReading(useCallback((how) => desk.assignments.projects(how), [desk]));
  const refresh = (): void => {
    reload();
    projects.reload();
  };
  return (
    <Page
      title={t('overview.title')}
      subtitle={
        value?.oldest !== undefined &&
        t('overview.age', {
          protocols: t('count.protocol', { count: value.protocols }),
          age: formatAge(value.oldest, now),
        })
      }
      actions={<RefreshButton busy={projects.busy} onClick={refresh} />}
    >
      <PageBody>
        <div className={styles.panels}>
          <div className={styles.column}>
            <ChangePanel onSent={refresh} />
            <UploadPanel />
            <KeepOffline />
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
