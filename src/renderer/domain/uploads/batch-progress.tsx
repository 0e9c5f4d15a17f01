import { Button, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import { type Batch, hasEnded, isActive, isHeldBack } from '../../../contract/uploads.ts';
import { useApp, useSnapshot } from '../../state/context.tsx';
import { MessageBar } from '../../ui/message-bar.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { useNow } from '../../ui/use-now.ts';
import { formatBytes, formatPercent } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';
import { OpenDoctor } from '../reach/open-doctor.tsx';
import { TryNow } from '../reach/try-now.tsx';
import { BatchStateBadge } from './batch-state-badge.tsx';
import { waitOf } from './batch-wait.ts';
import { folderName, isUnread, outcomeText, progressOf, progressText, reasonText, startsText } from './batch-words.ts';

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

type BatchProgressProps = {
  readonly batch: Batch;
  /** Of an upload of several batches, which `batch` stands for; default: those of the batch. */
  readonly progress?: { readonly value?: number };
  readonly text?: string;
};

/** What the bar shows, in front of the figures behind it. */
const withShare = (share: number | undefined, text: string): string =>
  share === undefined ? text : `${t('uploads.progress.done', { percent: formatPercent(share) })} · ${text}`;

/** The progress of an upload, or why there is none. */
export const BatchProgress = ({ batch, progress = progressOf(batch), text }: BatchProgressProps) => {
  const styles = useStyles();
  const { state } = batch;
  const wait = waitOf(
    batch,
    useSnapshot(({ reachability }) => reachability),
  );
  // While the upload is in progress, the state of the service and the storage counts, not the last reason of the batch.
  const reason = isActive(batch) ? undefined : reasonText(batch);
  const requestSignIn = useApp((state) => state.requestSignIn);
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  const needsSignIn = !signedIn && batch.reason?.code.startsWith('auth/');
  const ended = hasEnded(batch);
  const starts = startsText(batch, useNow(60_000));
  const unread = isUnread(batch);
  return (
    <div className={styles.progress}>
      {!ended && !unread && (
        <ProgressBar
          aria-label={t('uploads.progressOf', { folder: folderName(batch.root) })}
          thickness="large"
          {...progress}
        />
      )}
      <div className={styles.line}>
        <BatchStateBadge batch={batch} />
        {state === 'running' && wait === undefined && <Throughput batch={batch} />}
        {!unread && (
          <Text>
            {ended
              ? outcomeText(batch)
              : withShare(progress.value, text ?? progressText(wait ? { ...batch, bytesPerSecond: 0 } : batch))}
          </Text>
        )}
      </div>
      {wait !== undefined && !wait.isShownAbove && (
        <MessageBar
          intent="warning"
          title={wait.title}
          action={
            <>
              <TryNow />
              <OpenDoctor small />
            </>
          }
        >
          {wait.todo}
        </MessageBar>
      )}
      {reason !== undefined && (
        <MessageBar
          intent={isHeldBack(batch) ? 'info' : 'warning'}
          title={starts === undefined ? reason.title : `${starts}.`}
          action={
            needsSignIn && (
              <Button size="small" onClick={requestSignIn}>
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

const sampleMs = 1000;
const samples = 60;

/** The speed of an upload over the last minute, since the page was opened. */
const Throughput = ({ batch }: { readonly batch: Batch }) => {
  const speed = useRef(batch.bytesPerSecond);
  speed.current = batch.bytesPerSecond;
  const [speeds, setSpeeds] = useState<readonly number[]>([]);
  useEffect(() => {
    setSpeeds([speed.current]);
    const timer = setInterval(() => setSpeeds((before) => [...before.slice(1 - samples), speed.current]), sampleMs);
    return () => clearInterval(timer);
  }, []);
  if (speeds.length < 2) return null;
  const most = formatBytes(Math.max(...speeds));
  return <Sparkline values={speeds} length={samples} label={t('uploads.progress.throughput', { most })} />;
};
