import { Button, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import { errorText } from '../../../contract/error-text.ts';
import type { OfflineStatus } from '../../../contract/offline.ts';
import { useDesk, useSnapshot } from '../../app/context.tsx';
import { useAction } from '../../app/use-action.ts';
import { formatAge } from '../../ui/amounts.ts';
import { formatMoment } from '../../ui/dates.ts';
import { Part } from '../../ui/part.tsx';
import { useNow } from '../../ui/use-now.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  state: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    paddingTop: tokens.spacingVerticalXS,
  },
  minor: { color: tokens.colorNeutralForeground3 },
});

const stateText = ({ state, done, total, reason, completed }: OfflineStatus, now: number): string => {
  if (state === 'running') return total === 0 ? t('offline.beginning') : t('offline.progress', { done, total });
  if (state === 'paused') {
    return [t('offline.paused', { done, total }), reason && errorText(reason).title].filter(Boolean).join(' ');
  }
  return completed === undefined
    ? t('offline.explained')
    : t('offline.completed', { age: formatAge(completed, now), at: formatMoment(completed) });
};

/** Keeps all protocols with what belongs to them on this computer, and says how far that is. */
export const KeepOffline = () => {
  const styles = useStyles();
  const desk = useDesk();
  const status = useSnapshot((snapshot) => snapshot.offline);
  const now = useNow(60_000);
  const { state, done, total, completed } = status;
  const act = useAction(() => (state === 'running' ? desk.offline.cancel() : desk.offline.keepAll()));
  const idle = completed === undefined ? t('offline.keepAll') : t('offline.keepAgain');
  const action = { idle, running: t('offline.pause'), paused: t('offline.continue') }[state];
  return (
    <Part
      title={t('offline.title')}
      actions={
        <Button disabledFocusable={act.busy} onClick={() => act.run()}>
          {action}
        </Button>
      }
    >
      <div className={styles.state}>
        {state !== 'idle' && (
          <ProgressBar
            aria-label={t('offline.progressLabel')}
            thickness="large"
            {...(total === 0 ? {} : { value: done / total })}
          />
        )}
        <Text className={styles.minor}>{stateText(status, now)}</Text>
      </div>
    </Part>
  );
};
