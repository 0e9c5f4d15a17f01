import { makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import { compact } from 'es-toolkit';
import type { ListProgress, OfflineStatus } from '../../contract/offline.ts';
import { useDesk, useSnapshot } from '../state/store.tsx';
import { useNow } from '../ui/hooks.ts';
import { Minor, Part, type PartProps } from '../ui/page.tsx';
import { stacked } from '../ui/styles.ts';
import { formatAge, formatBytes, formatLeft } from '../words/amounts.ts';
import { formatMoment } from '../words/dates.ts';
import { errorText, t } from '../words/words.ts';
import { ActionButton } from './actions.tsx';

/**
 * Returns a text that says how many protocols are available offline, such as "120 of 240 protocols available offline".
 */
export const availableText = ({ available, total }: OfflineStatus): string =>
  t('offline.available', { available, count: total });

/**
 * Describes the progress of reading the lists of assignments, such as "120 of 3,000 lists loaded · about 4 minutes
 * left".
 */
export const listsText = ({ read, total, leftMs }: ListProgress): string =>
  compact([
    t('work.loaded', { read, total }),
    leftMs !== undefined && t('uploads.progress.left', { duration: formatLeft(leftMs) }),
  ]).join(' · ');

const useStyles = makeStyles({
  state: {
    ...stacked(tokens.spacingVerticalS),
    paddingTop: tokens.spacingVerticalXS,
  },
});

const runningText = (status: OfflineStatus): string => {
  const { listed, total, leftMs, sizeBytes } = status;
  if (total === 0) return t('offline.beginning');
  if (listed < total) return t('offline.listing', { listed, count: total });
  return compact([
    availableText(status),
    leftMs !== undefined && t('uploads.progress.left', { duration: formatLeft(leftMs) }),
    t('offline.size', { size: formatBytes(sizeBytes) }),
  ]).join(' · ');
};

const stateText = (status: OfflineStatus, now: number): string => {
  const { state, reason, completedAtMs, sizeBytes } = status;
  if (state === 'running') return runningText(status);
  if (state === 'paused') {
    const paused = t('offline.paused', { available: availableText(status) });
    if (reason === undefined) return paused;
    const { title, todo } = errorText(reason);
    // For `cache/full`, also says what to do, because the user has to change a setting first.
    return [paused, title, ...(reason.code === 'cache/full' ? [todo] : [])].join(' ');
  }
  if (completedAtMs === undefined) return t('offline.explained');
  const values = { age: formatAge(completedAtMs, now), at: formatMoment(completedAtMs), size: formatBytes(sizeBytes) };
  return t(status.skipped > 0 ? 'offline.completedInPart' : 'offline.completed', values);
};

const OfflineButton = () => {
  const { state, completedAtMs } = useSnapshot((snapshot) => snapshot.offline);
  const { offline } = useDesk();
  const idle = completedAtMs === undefined ? t('offline.makeAvailable') : t('offline.refreshAll');
  return (
    <ActionButton act={state === 'running' ? offline.pause : offline.start}>
      {{ idle, running: t('uploads.action.pause'), paused: t('offline.continue') }[state]}
    </ActionButton>
  );
};

const OfflineState = () => {
  const styles = useStyles();
  const status = useSnapshot((snapshot) => snapshot.offline);
  const now = useNow(60_000);
  const { state, listed, available, skipped, total } = status;
  return (
    <div className={styles.state}>
      {state !== 'idle' && (
        <ProgressBar
          aria-label={t('offline.progressLabel')}
          thickness="large"
          {...(total === 0 ? {} : { value: (listed + available + skipped) / (2 * total) })}
        />
      )}
      <Minor>{stateText(status, now)}</Minor>
      {skipped > 0 && <Text>{t('offline.skipped', { count: skipped })}</Text>}
    </div>
  );
};

/**
 * Returns the part of a page that shows how much is available offline. Its button loads everything, and pauses or
 * continues the loading.
 */
export const offlinePart = (): PartProps => ({
  title: t('offline.title'),
  actions: <OfflineButton />,
  children: <OfflineState />,
});

export const OfflineData = () => <Part {...offlinePart()} />;
