import { Button, Link, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import {
  ArrowUpload16Regular,
  CheckmarkCircle16Filled,
  Clock16Regular,
  Pause16Filled,
  SubtractCircle16Regular,
  Warning16Filled,
} from '@fluentui/react-icons';
import { useEffect, useRef, useState } from 'react';
import { type Batch, type BatchState, hasEnded, isActive, isHeldBack, isSparing } from '../../../contract/uploads.ts';
import { useApp, useSnapshot } from '../../state/store.tsx';
import { nameCells } from '../../ui/data-table/cells.tsx';
import { type Column, timeCells } from '../../ui/data-table/columns.tsx';
import { useNow } from '../../ui/hooks.ts';
import { MessageBar } from '../../ui/message-bar.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { stacked, useCardStyles, wrapping } from '../../ui/styles.ts';
import { TextBadge, type TextBadgeProps } from '../../ui/text-badge.tsx';
import { formatBytes, formatPercent } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';
import { ReachActions } from '../reach.tsx';
import { BatchActions, useNeedsSignIn } from './batch-actions.tsx';
import {
  batchName,
  begunText,
  folderNames,
  isUnread,
  outcomeText,
  progressOf,
  progressOfUpload,
  progressText,
  reasonText,
  startsText,
  stateText,
  targetName,
  type Upload,
  uploadText,
  waitOf,
} from './batch-words.ts';
import { useFileMenu } from './files.tsx';

type Look = Pick<TextBadgeProps, 'color' | 'Icon'>;

const looks: Readonly<Record<BatchState, Look>> = {
  scanning: { color: 'brand', Icon: ArrowUpload16Regular },
  running: { color: 'brand', Icon: ArrowUpload16Regular },
  paused: { color: 'warning', Icon: Pause16Filled },
  finished: { color: 'success', Icon: CheckmarkCircle16Filled },
  cancelled: { color: 'informative', Icon: SubtractCircle16Regular },
};

const lookOf = (batch: Batch, waits: boolean): Look & Pick<TextBadgeProps, 'text'> => {
  if (waits) return { text: t('uploads.state.waiting'), color: 'warning', Icon: Clock16Regular };
  if (isHeldBack(batch)) {
    const text = t(`uploads.state.${isSparing(batch) ? 'waiting' : 'scheduled'}`);
    return { text, color: 'informative', Icon: Clock16Regular };
  }
  const { state, failed, cancelled } = batch;
  const hasFailures = state === 'finished' && failed > 0;
  const isInPart = state === 'finished' && cancelled > 0;
  const look: Look = hasFailures ? { color: 'danger', Icon: Warning16Filled } : looks[isInPart ? 'cancelled' : state];
  return { text: stateText(batch), ...look };
};

const BatchStateBadge = ({ batch }: { readonly batch: Batch }) => {
  const waits = useSnapshot(({ reachability }) => waitOf(batch, reachability) !== undefined);
  return <TextBadge {...lookOf(batch, waits)} size="large" />;
};

const useStyles = makeStyles({
  progress: stacked(tokens.spacingVerticalS),
  line: {
    ...wrapping(`${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`),
    fontVariantNumeric: 'tabular-nums',
  },
  name: { fontWeight: tokens.fontWeightSemibold },
});

type BatchProgressProps = {
  readonly batch: Batch;
  /** The progress of the upload if `batch` is the sum of several batches; default: the progress of `batch`. */
  readonly progress?: { readonly value?: number };
  readonly text?: string;
};

const withShare = (share: number | undefined, text: string): string =>
  share === undefined ? text : `${t('uploads.progress.done', { percent: formatPercent(share) })} · ${text}`;

/** Shows the state of an upload with its progress or outcome, and the reason if it waits or has stopped. */
export const BatchProgress = ({ batch, progress = progressOf(batch), text }: BatchProgressProps) => {
  const styles = useStyles();
  const { state } = batch;
  const wait = waitOf(
    batch,
    useSnapshot(({ reachability }) => reachability),
  );
  // While the upload is in progress, `wait` is shown instead of the batch's last reason.
  const reason = isActive(batch) ? undefined : reasonText(batch);
  const requestSignIn = useApp((state) => state.requestSignIn);
  const needsSignIn = useNeedsSignIn(batch);
  const ended = hasEnded(batch);
  const starts = startsText(batch, useNow(60_000));
  const unread = isUnread(batch);
  return (
    <div className={styles.progress}>
      {!ended && !unread && (
        <ProgressBar
          aria-label={t('uploads.progressOf', { folder: batchName(batch) })}
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
        <MessageBar intent="warning" title={wait.title} action={<ReachActions />}>
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
const FEWEST_SAMPLES = 8;

const Throughput = ({ batch }: { readonly batch: Batch }) => {
  const speed = useRef(batch.bytesPerSecond);
  speed.current = batch.bytesPerSecond;
  const [speeds, setSpeeds] = useState<readonly number[]>([]);
  useEffect(() => {
    setSpeeds([speed.current]);
    const timer = setInterval(() => setSpeeds((before) => [...before.slice(1 - samples), speed.current]), sampleMs);
    return () => clearInterval(timer);
  }, []);
  if (speeds.length < FEWEST_SAMPLES) return null;
  const most = formatBytes(Math.max(...speeds));
  return <Sparkline values={speeds} length={samples} label={t('uploads.progress.throughput', { most })} />;
};

/** A card for one upload in a list of uploads. */
export const UploadCard = ({ upload }: { readonly upload: Upload }) => {
  const card = useCardStyles();
  const styles = useStyles();
  const { uploadId, batches, whole } = upload;
  const [only, ...others] = batches;
  const menu = useFileMenu(({ batchId }: Batch) => ({ batchId }));
  const open = useApp((state) => state.open);
  const assignment = useApp((state) => state.assignments[whole.AssignmentId]);
  const targets = new Set(batches.map(({ AssignmentId }) => AssignmentId)).size;
  const target =
    targets === 1 ? targetName(batches[0] ?? whole, assignment) : t('count.assignment', { count: targets });
  const parts = [t('uploads.to', { assignment: target }), begunText(whole)];
  return (
    <li
      className={card.card}
      onContextMenu={menu && only && others.length === 0 ? (event) => menu(only, event) : undefined}
    >
      <div className={card.header}>
        <div className={card.title}>
          <Link as="button" className={styles.name} onClick={() => open({ name: 'upload', upload: uploadId })}>
            {batchName(whole)}
          </Link>
          <Text size={200} className={card.minor} title={target}>
            {(batches.length === 1 ? parts : [...parts, folderNames(batches)]).join(' · ')}
          </Text>
        </div>
        <BatchActions batch={whole} upload={batches.length === 1 ? undefined : uploadId} />
      </div>
      <BatchProgress batch={whole} progress={progressOfUpload(upload)} text={uploadText(upload)} />
    </li>
  );
};

export const batchFolder: Column<Batch> = { id: 'Folder', header: 'uploads.table.folder', ...nameCells(batchName) };

export const batchStarted: Column<Batch> = {
  id: 'Started',
  header: 'assignment.history.started',
  width: '188px',
  ...timeCells(({ createdAtMs }) => createdAtMs, 'moment'),
};

export const batchState: Column<Batch> = {
  id: 'State',
  header: 'uploads.files.state',
  width: '212px',
  cell: (batch) => <BatchStateBadge batch={batch} />,
  text: stateText,
};
