import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ErrorMessage } from '../domain/errors/error-message.tsx';
import { FailureBar } from '../domain/errors/failure-bar.tsx';
import { useApp, useSnapshot } from '../state/context.tsx';
import { useAction } from '../state/use-action.ts';
import { t } from '../words/words.ts';
import { OfflineNotice, useBrowsesOffline } from './offline-notice.tsx';
import { TroubleBar, useTroubleForAll } from './trouble-bar.tsx';

const useStyles = makeStyles({
  notices: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXS,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalXXL}`,
  },
});

/** Messages that no action of the person has caused. */
export const Notices = () => {
  const styles = useStyles();
  const notices = useSnapshot((snapshot) => snapshot.notices);
  const dismissNotices = useApp((state) => state.dismissNotices);
  const dismiss = useAction(dismissNotices);
  const failure = useApp((state) => state.failure);
  const synchronise = useApp((state) => state.synchronise);
  const browsesOffline = useBrowsesOffline();
  const isInTrouble = useTroubleForAll() !== undefined;
  if (notices.length === 0 && failure === undefined && !browsesOffline && !isInTrouble) return null;
  return (
    <section className={styles.notices} aria-label={t('shell.notices')}>
      {failure !== undefined && <FailureBar error={failure} onRetry={synchronise} />}
      {browsesOffline && <OfflineNotice />}
      <TroubleBar />
      {notices.map((notice, position) => (
        <ErrorMessage
          // biome-ignore lint/suspicious/noArrayIndexKey: notices only ever join at the end or leave together.
          key={position}
          error={notice}
          intent="warning"
          action={
            position === notices.length - 1 && (
              <Button size="small" disabled={dismiss.busy} onClick={() => dismiss.run()}>
                {notices.length === 1 ? t('common.dismiss') : t('common.dismissAll')}
              </Button>
            )
          }
        />
      ))}
    </section>
  );
};
