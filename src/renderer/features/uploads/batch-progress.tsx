import { Button, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import type { Batch } from '../../../contract/models.ts';
import { useApp, useSnapshot } from '../../app/context.tsx';
import { MessageBar } from '../../ui/message-bar.tsx';
import { t } from '../../words/words.ts';
import { BatchStateBadge } from './batch-state-badge.tsx';
import { folderName, outcomeText, progressOf, progressText, reasonText } from './batch-words.ts';
import { Throughput } from './throughput.tsx';

const useStyles = makeStyles({
  progress: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  line: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    fontVariantNumeric: 'tabular-nums',
  },
});

/** How far an upload is, and why it stands still if it does. */
export const BatchProgress = ({ batch }: { readonly batch: Batch }) => {
  const styles = useStyles();
  const { state } = batch;
  const reason = reasonText(batch);
  const askSignIn = useApp((state) => state.askSignIn);
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  const needsSignIn = !signedIn && batch.reason?.code.startsWith('auth/');
  const ended = state === 'finished' || state === 'cancelled';
  return (
    <div className={styles.progress}>
      {!ended && (
        <ProgressBar
          aria-label={t('uploads.progressOf', { folder: folderName(batch.root) })}
          thickness="large"
          {...progressOf(batch)}
        />
      )}
      <div className={styles.line}>
        <BatchStateBadge batch={batch} />
        {state === 'running' && <Throughput batch={batch} />}
        <Text>{ended ? outcomeText(batch) : progressText(batch)}</Text>
      </div>
      {reason !== undefined && (
        <MessageBar
          intent="warning"
          title={reason.title}
          action={
            needsSignIn && (
              <Button size="small" onClick={askSignIn}>
                {t('signIn.title')}
              </Button>
            )
          }
        >
          {reason.todo}
        </MessageBar>
      )}
    </div>
  );
};
