import { Button, Link, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import {
  ArrowClockwise20Regular,
  ArrowUp20Regular,
  ArrowUpload16Regular,
  CalendarClock20Regular,
  CheckmarkCircle16Filled,
  Clock16Regular,
  Dismiss20Regular,
  Pause16Filled,
  Pause20Regular,
  Play20Regular,
  SubtractCircle16Regular,
  Warning16Filled,
} from '@fluentui/react-icons';
import { meanBy } from 'es-toolkit';
import { useEffect, useRef, useState } from 'react';
import { isOpen } from '../../../contract/hours.ts';
import {
  type Batch,
  type BatchState,
  batchName,
  canReschedule,
  canSendFirst,
  hasEnded,
  isActive,
  isBeingCancelled,
  isHeldBack,
  isSparing,
  isStoppedByFiles,
  settledFiles,
  startsAtMs,
  type UploadStep,
} from '../../../contract/uploads.ts';
import type { ErrorText } from '../../../words/error-text.ts';
import { useAction, useApp, useDesk, useSnapshot } from '../../state/store.tsx';
import { type Column, nameCells, timeCells } from '../../ui/data-table/columns.tsx';
import { DialogButton } from '../../ui/dialogs.tsx';
import { useNow } from '../../ui/hooks.ts';
import { lazily } from '../../ui/lazy.tsx';
import { MessageBar } from '../../ui/message-bar.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { stacked, useCardStyles, wrapping } from '../../ui/styles.ts';
import { TextBadge, type TextBadgeProps } from '../../ui/text-badge.tsx';
import { formatBytes, formatPercent } from '../../words/amounts.ts';
import { formatNear } from '../../words/dates.ts';
import { errorText, fileErrorText, t } from '../../words/words.ts';
import { ActionButton } from '../actions.tsx';
import { ReachActions } from '../reach.tsx';
import {
  begunText,
  failuresOf,
  isFinishedWithFailures,
  outcomeText,
  progressOf,
  targetName,
  type Upload,
  uploadText,
  waitOf,
} from './batch-words.ts';
import { useFileMenu } from './files.tsx';

const RescheduleDialog = lazily(async () => (await import('./start-time.tsx')).RescheduleDialog);

const stateName = (state: BatchState): string => t(`uploads.state.${state}`);

/**
 * Returns the state of a batch in words. For a finished batch, it also says whether there are failures or cancelled
 * files.
 */
export const stateText = (batch: Pick<Batch, 'state' | 'failed' | 'notReplaced' | 'cancelled'>): string => {
  if (isFinishedWithFailures(batch)) return t('uploads.state.finishedWithFailures');
  return batch.state === 'finished' && batch.cancelled > 0 ? t('uploads.state.finishedInPart') : stateName(batch.state);
};

/**
 * Returns why `batch` has stopped, and what to do about it; undefined if there is no reason, such as when the user has
 * paused it. For another user's batch that has not ended or has failed files, the reason is that it belongs to another
 * account.
 */
export const reasonText = (batch: Batch): ErrorText | undefined => {
  const { failed, reason, isOthers } = batch;
  if (isOthers && (failed > 0 || !hasEnded(batch))) return errorText({ code: 'upload/other-session', details: {} });
  if (reason === undefined) return undefined;
  if (!isStoppedByFiles(batch)) return errorText(reason);
  const { title, todo } = fileErrorText(reason);
  return { title: t('uploads.failing'), todo: `${title} ${todo}` };
};

/** Whether a batch has stopped before its folder was read, such as one that is held back or whose folder is gone. */
export const isUnread = ({ state, files }: Batch): boolean => state === 'paused' && files === 0;

/**
 * Returns a text that says when a batch that waits for its schedule starts or continues, such as "Starts 18:00";
 * undefined if the batch does not wait for a schedule, or if the schedule never allows uploads.
 */
export const startsText = (batch: Batch, nowMs: number): string | undefined => {
  const atMs = startsAtMs(batch, new Date(nowMs));
  if (atMs === undefined) return undefined;
  const at = formatNear(atMs, nowMs);
  return settledFiles(batch) > 0 ? t('uploads.continues', { at }) : t('uploads.starts', { at });
};

/**
 * Returns the share of the work that is done, from 0 to 1. Each folder has the same weight, because the size of folders
 * that wait is still unknown. For a single batch, and while the upload is being cancelled, returns the result of
 * `progressOf`.
 */
export const progressOfUpload = ({ batches, whole }: Upload): { readonly value?: number } =>
  batches.length === 1 || isBeingCancelled(whole)
    ? progressOf(whole)
    : { value: meanBy(batches, (batch) => progressOf(batch).value ?? 0) };

const NAMED = 3;

/**
 * Lists the names of at most three folders, such as "Site A; Site B; Site C and 57 more". The names are often
 * addresses, which contain commas.
 */
export const folderNames = (batches: readonly Batch[]): string => {
  const names = batches.slice(0, NAMED).map(batchName).join('; ');
  const count = batches.length - NAMED;
  return count > 0 ? t('common.andMore', { names, count }) : names;
};

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
  const { state, cancelled } = batch;
  const isInPart = state === 'finished' && cancelled > 0;
  const look: Look = isFinishedWithFailures(batch)
    ? { color: 'danger', Icon: Warning16Filled }
    : looks[isInPart ? 'cancelled' : state];
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
  actions: {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'flex-end',
    gap: tokens.spacingHorizontalS,
    marginInlineStart: 'auto',
  },
});

const withShare = (share: number | undefined, text: string): string =>
  share === undefined ? text : `${t('uploads.progress.done', { percent: formatPercent(share) })} · ${text}`;

export const UploadProgress = ({ upload }: { readonly upload: Upload }) => {
  const styles = useStyles();
  const { whole: batch } = upload;
  const progress = progressOfUpload(upload);
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
        {batch.state === 'running' && wait === undefined && <Throughput batch={batch} />}
        {!unread && (
          <Text>
            {ended
              ? outcomeText(batch)
              : withShare(
                  progress.value,
                  uploadText(wait ? { ...upload, whole: { ...batch, bytesPerSecond: 0 } } : upload),
                )}
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

export const UploadCard = ({ upload }: { readonly upload: Upload }) => {
  const card = useCardStyles();
  const styles = useStyles();
  const { uploadId, batches, whole } = upload;
  const isOne = batches.length === 1;
  const menu = useFileMenu(({ batchId }: Batch) => ({ batchId }));
  const open = useApp((state) => state.open);
  const targets = new Set(batches.map(({ AssignmentId }) => AssignmentId)).size;
  const target = targets === 1 ? targetName(batches[0] ?? whole) : t('count.assignment', { count: targets });
  const parts = [t('uploads.to', { assignment: target }), begunText(whole)];
  return (
    <li className={card.card} onContextMenu={menu && isOne ? (event) => menu(whole, event) : undefined}>
      <div className={card.header}>
        <div className={card.title}>
          <Link as="button" className={styles.name} onClick={() => open({ name: 'upload', upload: uploadId })}>
            {batchName(whole)}
          </Link>
          <Text size={200} className={card.minor} title={target}>
            {(isOne ? parts : [...parts, folderNames(batches)]).join(' · ')}
          </Text>
        </div>
        <UploadActions upload={upload} />
      </div>
      <UploadProgress upload={upload} />
    </li>
  );
};

export const batchFolder: Column<Batch> = { id: 'Folder', header: 'common.folder', ...nameCells(batchName) };

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

/** Returns the input of the calls that change all batches of an upload. */
export const targetOf = ({ uploadId, batches, whole }: Upload) =>
  batches.length === 1 ? { batchId: whole.batchId } : { uploadId };

/** Whether failed files can be retried. That is also possible while other files of the upload are still queued. */
const canRetry = (batch: Batch): boolean =>
  failuresOf(batch) > 0 && batch.state !== 'scanning' && batch.state !== 'cancelled' && !isBeingCancelled(batch);

/** Whether the upload can be resumed. `isAllowed`: whether the organisation's upload hours allow uploads now. */
const canResume = (batch: Batch, isAllowed: boolean): boolean =>
  batch.state === 'paused' && (isAllowed || !isHeldBack(batch));

/**
 * Whether the upload stopped because the session ended, and no user has signed in since. The upload resumes when its
 * user signs in.
 */
const useNeedsSignIn = ({ reason }: Batch): boolean => {
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  return !signedIn && reason?.code.startsWith('auth/') === true;
};

/**
 * Buttons for the actions that the state of an upload allows. They are disabled if the upload belongs to another user.
 * The buttons are aligned to the right. Those that can appear later come first, so that no button takes the place of
 * another while the upload is in progress.
 */
export const UploadActions = ({ upload, isMain = false }: { readonly upload: Upload; readonly isMain?: boolean }) => {
  const styles = useStyles();
  const { uploads } = useDesk();
  const { whole: batch } = upload;
  const act = useAction((step: UploadStep) => uploads[step](targetOf(upload)));
  const officeHours = useSnapshot(({ managed, preferences }) =>
    managed.includes('uploads.hours') ? preferences.uploadHours : undefined,
  );
  const isBesideOthers = useSnapshot(
    ({ batches }) => canSendFirst(batch) && batches.some((one) => !hasEnded(one) && one.uploadId !== batch.uploadId),
  );
  const isDisabled = act.busy || batch.isOthers === true;
  const needsSignIn = useNeedsSignIn(batch);
  const { schedule } = batch;
  const resumes = !needsSignIn && canResume(batch, isOpen(officeHours ?? [], new Date()));
  return (
    <div className={styles.actions}>
      {canRetry(batch) && (
        <Button
          icon={<ArrowClockwise20Regular />}
          disabledFocusable={isDisabled}
          onClick={() => act.run('retryFailed')}
        >
          {t('uploads.action.retryFailed')}
        </Button>
      )}
      {canSendFirst(batch) && (isBesideOthers || batch.isFirst) && (
        <Button
          appearance="subtle"
          icon={<ArrowUp20Regular />}
          disabledFocusable={isDisabled || batch.isFirst === true}
          onClick={() => act.run('sendFirst')}
        >
          {t(batch.isFirst ? 'uploads.action.isFirst' : 'uploads.action.sendFirst')}
        </Button>
      )}
      {schedule && canReschedule(batch) && (
        <DialogButton
          appearance="subtle"
          icon={<CalendarClock20Regular />}
          disabled={isDisabled}
          dialog={(onClose) => <RescheduleDialog of={targetOf(upload)} before={schedule} onClose={onClose} />}
        >
          {t('uploads.action.reschedule')}
        </DialogButton>
      )}
      {!hasEnded(batch) && (
        <ActionButton
          appearance="subtle"
          icon={<Dismiss20Regular />}
          disabled={isDisabled}
          act={async () => act.run('cancel')}
          question={{
            title: t('uploads.action.cancelQuestion'),
            text: t('uploads.action.cancelExplained', { folder: batchName(batch) }),
            action: t('uploads.action.cancel'),
            keep: t('uploads.action.keep'),
          }}
        >
          {t('uploads.action.cancel')}
        </ActionButton>
      )}
      {/* One button pauses and resumes, so that it keeps the focus. */}
      {(resumes || isActive(batch)) && (
        <Button
          icon={resumes ? <Play20Regular /> : <Pause20Regular />}
          appearance={resumes && isMain ? 'primary' : 'secondary'}
          disabledFocusable={isDisabled}
          onClick={() => act.run(resumes ? 'resume' : 'pause')}
        >
          {t(`uploads.action.${resumes ? (isSparing(batch) ? 'anyway' : 'resume') : 'pause'}`)}
        </Button>
      )}
    </div>
  );
};
