import { compact } from 'es-toolkit';
import { type Reachability, uploadTrouble } from '../../../contract/connection.ts';
import { searchable } from '../../../contract/search.ts';
import {
  type AutomaticReceipt,
  type Batch,
  type BatchState,
  batchName,
  bytesLeft,
  commonFolderName,
  hasEnded,
  isActive,
  isBeingCancelled,
  isHeldBack,
  type LeftOut,
  type NameTemplate,
  ownNameTemplate,
  settledFiles,
  sumOfBatches,
  workDone,
} from '../../../contract/uploads.ts';
import type { ErrorText } from '../../../words/error-text.ts';
import { formatBytes, formatCount, formatTimeLeft } from '../../words/amounts.ts';
import { formatMoment, formatNear } from '../../words/dates.ts';
import { errorText, t } from '../../words/words.ts';
import { isForAll, troubleText } from '../reach.tsx';

/**
 * Returns the name of the assignment that a batch is uploaded to: its title, or else a text with the assignment's id.
 */
export const targetName = ({ AssignmentId, title }: Pick<Batch, 'AssignmentId' | 'title'>): string =>
  title || t('uploads.unnamed', { id: AssignmentId });

/**
 * Returns the number of files to retry: those that failed, plus the replaced files and the app's own check files that
 * could not be removed.
 */
export const failuresOf = ({ failed, notReplaced = 0 }: Pick<Batch, 'failed' | 'notReplaced'>): number =>
  failed + notReplaced;

export const isFinishedWithFailures = (batch: Pick<Batch, 'state' | 'failed' | 'notReplaced'>): boolean =>
  batch.state === 'finished' && failuresOf(batch) > 0;

/** The number of uploads that these batches belong to. */
export const countUploads = (batches: readonly Batch[]): number =>
  new Set(batches.map(({ uploadId }) => uploadId)).size;

/**
 * Returns the share of the work that is done, as `value` from 0 to 1. While one of the batches is being scanned or
 * cancelled, there is no `value`.
 */
export const progressOf = (...batches: readonly Batch[]): { readonly value?: number } =>
  batches.some((batch) => batch.state === 'scanning' || isBeingCancelled(batch)) ? {} : { value: workDone(batches) };

/**
 * Describes the progress, such as "120 of 1,204 files · 80 MB of 1.2 GB · 12 MB/s · about 2 minutes left · 3 skipped".
 * Skipped files and their bytes count as done. While a folder is being scanned, says how many files were found and,
 * once a file is settled, the outcome so far; while the batch is being cancelled, only the outcome so far.
 */
export const progressText = (batch: Batch): string => {
  if (isBeingCancelled(batch)) return outcomeText(batch);
  if (batch.state === 'scanning') {
    const found = t('uploads.progress.found', { count: batch.files });
    return settledFiles(batch) === 0 ? found : `${found} · ${outcomeText(batch)}`;
  }
  const parts: string[] = [
    t('uploads.progress.files', { done: formatCount(settledFiles(batch)), count: batch.files }),
    t('uploads.progress.sent', { done: formatBytes(batch.bytesSent), all: formatBytes(batch.bytes) }),
  ];
  if (batch.state === 'running' && batch.bytesPerSecond > 0) {
    const left = formatTimeLeft(bytesLeft(batch), batch.bytesPerSecond);
    parts.push(t('uploads.progress.speed', { amount: formatBytes(batch.bytesPerSecond) }));
    if (left !== undefined) parts.push(t('uploads.progress.left', { duration: left }));
  }
  parts.push(...countsOf(batch, ['skipped', 'failed', 'cancelled', 'resent', 'notReplaced', 'removed']));
  return parts.join(' · ');
};

const countsOf = (
  batch: Batch,
  names: readonly ('resent' | 'removed' | 'skipped' | 'failed' | 'notReplaced' | 'cancelled')[],
): readonly string[] =>
  names.flatMap((name) => (batch[name] ? [t(`uploads.progress.${name}`, { count: batch[name] })] : []));

/** Describes the outcome, such as "1,200 uploaded, 3 skipped, 1 failed". */
export const outcomeText = (batch: Batch): string =>
  [
    t('uploads.progress.uploaded', { count: batch.uploaded }),
    ...countsOf(batch, ['resent', 'removed', 'skipped', 'failed', 'notReplaced', 'cancelled']),
  ].join(', ');

/**
 * Returns a text that says when a batch was started, such as "Started 3 Feb 2025, 14:05". If the batch is held back and
 * none of its files has an outcome, the text says when it was added.
 */
export const begunText = (batch: Batch): string => {
  const at = formatMoment(batch.createdAtMs);
  return isHeldBack(batch) && settledFiles(batch) === 0 ? t('uploads.added', { at }) : t('uploads.started', { at });
};

const RECENT_UPLOADS = 10;
/** The minimum number of bytes of a batch whose speed counts. In smaller batches, requests take most of the time. */
const TELLING_BYTES = 10_000_000;

/**
 * Returns the highest average speed of the ten batches that ended last, in bytes per second; undefined if there are
 * none. Ignores batches that were slower than the network allows, because they sent little, skipped files or had a
 * schedule.
 */
export const recentSpeed = (batches: readonly Batch[]): number | undefined => {
  const speeds = batches
    .filter(({ bytesSent, skipped }) => bytesSent >= TELLING_BYTES && skipped === 0)
    .filter(({ schedule }) => schedule?.notBeforeMs === undefined && !schedule?.hours.length)
    .flatMap(({ bytesSent, createdAtMs, finishedAtMs }) =>
      finishedAtMs === undefined
        ? []
        : { finishedAtMs, speed: (bytesSent * 1000) / Math.max(1, finishedAtMs - createdAtMs) },
    )
    .sort((one, other) => other.finishedAtMs - one.finishedAtMs)
    .slice(0, RECENT_UPLOADS);
  return speeds.length === 0 ? undefined : Math.max(...speeds.map(({ speed }) => speed));
};

/**
 * Returns a sentence for announcements that says how `batch` has ended or stopped; undefined while it is in progress.
 */
export const endSentence = (batch: Batch): string | undefined => {
  const { state, reason } = batch;
  if (state === 'scanning' || state === 'running') return undefined;
  if (state === 'paused' && reason !== undefined)
    return t('uploads.said.pausedBy', { reason: errorText(reason).title });
  return t(`uploads.said.${state}`, { outcome: outcomeText(batch) });
};

/**
 * Returns a text that says how many files of a folder are left out automatically, by reason; empty if there are none.
 * Does not count files that the user left out in the review, or that were added after it.
 */
export const leftOutText = ({ hidden, system, links, special, unreadable }: LeftOut): string =>
  compact([
    hidden > 0 && t('count.hiddenFile', { count: hidden }),
    system > 0 && t('count.systemFile', { count: system }),
    links > 0 && t('count.link', { count: links }),
    special > 0 && t('count.specialFile', { count: special }),
    unreadable > 0 && t('count.unreadableFile', { count: unreadable }),
  ]).join(', ');

/**
 * Returns a text that says how many files of a folder were left out in the review, and how many automatically; empty if
 * there are none.
 */
export const notUploadedText = (leftOut: LeftOut): string => {
  const { inReview = 0 } = leftOut;
  const always = leftOutText(leftOut);
  return compact([
    inReview > 0 && t('uploads.leftOutInReview', { count: inReview }),
    always !== '' && t('uploads.leftOut', { what: always }),
  ]).join(' · ');
};

const order: Readonly<Record<BatchState, number>> = { running: 0, scanning: 0, paused: 1, finished: 2, cancelled: 2 };

const byState = (a: Batch, b: Batch): number => order[a.state] - order[b.state] || b.createdAtMs - a.createdAtMs;

/** Sorts batches: those in progress first, then paused ones, then the rest; the newest first in each group. */
export const sortBatches = (batches: readonly Batch[]): readonly Batch[] => batches.toSorted(byState);

/** One or more batches that were started together. `whole`: their sum as one batch, or the only batch itself. */
export type Upload = { readonly uploadId: string; readonly batches: readonly Batch[]; readonly whole: Batch };

/** Returns an upload that shows and changes only `batch`, even if it was started together with others. */
export const uploadOf = (batch: Batch): Upload => ({ uploadId: batch.uploadId, batches: [batch], whole: batch });

/**
 * Groups batches into uploads, in the order of `sortBatches`. With `concerns`, only the uploads with a batch for which
 * it returns true: there may be many thousands of batches, and few of them are in progress.
 */
export const groupUploads = (
  batches: readonly Batch[],
  concerns: (batch: Batch) => boolean = () => true,
): readonly Upload[] => {
  const wanted = new Set(batches.filter(concerns).map(({ uploadId }) => uploadId));
  const grouped = Map.groupBy(
    batches.filter(({ uploadId }) => wanted.has(uploadId)),
    ({ uploadId }) => uploadId,
  );
  return [...grouped]
    .flatMap(([uploadId, own]) => {
      const whole = asOne(own);
      return whole === undefined ? [] : { uploadId, batches: own, whole };
    })
    .sort((a, b) => byState(a.whole, b.whole));
};

/**
 * Returns a function that returns `textOf` of a batch, as `hasBeginnings` needs it. The text is made once for each
 * batch: a search looks through all batches again whenever one of them changes.
 */
export const searchTexts = (textOf: (batch: Batch) => string) => {
  const texts = new WeakMap<Batch, string>();
  return (batch: Batch): string => {
    const text = texts.get(batch) ?? searchable(textOf(batch));
    texts.set(batch, text);
    return text;
  };
};

export const asOne = (batches: readonly Batch[]): Batch | undefined => {
  const [first, ...others] = batches;
  if (first === undefined || others.length === 0) return first;
  const { reason: _, finishedAtMs: __, title: ___, isFirst: ____, only: _____, ...common } = first;
  const state = stateOfAll(batches);
  const reason = batches.find((batch) => batch.state === state && batch.reason)?.reason;
  return {
    ...common,
    ...sumOfBatches(batches),
    root: uploadName([first, ...others]),
    state,
    ...(reason && { reason }),
    ...(batches.every((batch) => batch.isFirst || hasEnded(batch)) && { isFirst: true }),
    createdAtMs: Math.min(...batches.map(({ createdAtMs }) => createdAtMs)),
  };
};

/**
 * Returns the name of the folder that contains all folders of the upload. If there is none, the name of the first
 * folder and the number of further ones.
 */
const uploadName = (batches: readonly [Batch, ...Batch[]]): string =>
  commonFolderName(batches.map(({ root }) => root)) ??
  t('common.andMore', { names: batchName(batches[0]), count: batches.length - 1 });

const stateOfAll = (batches: readonly Batch[]): BatchState => {
  const states = new Set(batches.map(({ state }) => state));
  if (states.has('running')) return 'running';
  // The folders of an upload are scanned a few at a time. Once a folder has finished, the upload counts as running.
  if (states.has('scanning')) return states.has('finished') ? 'running' : 'scanning';
  if (states.has('paused')) return 'paused';
  return states.has('finished') ? 'finished' : 'cancelled';
};

/** Describes the progress of an upload, such as "12 of 60 folders · 120 of 1,204 files · …". */
export const uploadText = ({ batches, whole }: Upload): string => {
  if (batches.length === 1) return progressText(whole);
  const done = batches.filter(({ state }) => state === 'finished' || state === 'cancelled').length;
  const folders = t('uploads.progress.folders', { done, count: batches.length });
  const isScanning = batches.some(({ state }) => state === 'scanning');
  return `${folders} · ${isScanning ? outcomeText(whole) : progressText(whole)}`;
};

// Why an upload in progress is waiting. Most texts describe the state of the service and the storages, as reported by
// main. The footer shows the same state, so the texts agree with the footer. Only the batch itself shows that a storage
// has paused single files, or that requests to the storage are slowed down.

type Wait = ErrorText & {
  /** Whether a message above every page already says that the upload waits. */
  readonly isShownAbove: boolean;
};

/** Returns why `batch` waits, or sends more slowly; undefined if it continues normally or is not in progress. */
export const waitOf = (batch: Batch, reachability: Reachability): Wait | undefined => {
  if (!isActive(batch)) return undefined;
  const found = uploadTrouble(reachability);
  if (found) {
    const { side, trouble } = found;
    return { ...troubleText(side, trouble), isShownAbove: isForAll(side, trouble) };
  }
  const { until, paced } = batch.reason?.details ?? {};
  if (paced) return { title: t('reach.paced'), todo: t('reach.pacedTodo'), isShownAbove: false };
  if (typeof until !== 'number') return undefined;
  const held = { who: t('reach.someStorage'), at: formatNear(until) };
  return { title: t('reach.held', held), todo: t('reach.heldTodo'), isShownAbove: false };
};

const templateNames: Readonly<Record<NameTemplate, () => string>> = {
  [ownNameTemplate]: () => t('newUpload.names.own'),
  '{folder} - {name}': () => t('newUpload.names.folder'),
  '{path}': () => t('newUpload.names.path'),
};

export const nameTemplates: readonly NameTemplate[] = Object.keys(templateNames);

export const nameTemplateName = (template: NameTemplate): string => templateNames[template]?.() ?? template;

/** Returns the name of a kind of automatic receipt: a format, or no receipt. */
export const receiptName = (receipt: AutomaticReceipt): string =>
  receipt === 'none' ? t('settings.receiptNone') : t(`uploads.receipt.format.${receipt}`);
