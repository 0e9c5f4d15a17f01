/** An upload as people see it: all batches that were started together, as one. */
import type { Batch, BatchState } from '../../../contract/uploads.ts';
import { t } from '../../words/words.ts';
import { folderName, outcomeText, progressOf, progressText, sortBatches } from './batch-words.ts';

/** `whole`: its batches as one, with the sums of their counts; of a single batch that batch. */
export type Upload = { readonly uploadId: string; readonly batches: readonly Batch[]; readonly whole: Batch };

/** The uploads of these batches: those in progress first, then those that wait for a person; each group newest first. */
export const groupUploads = (batches: readonly Batch[]): readonly Upload[] => {
  const groups = Map.groupBy(batches, ({ uploadId }) => uploadId);
  const uploads = new Map(
    groups.entries().flatMap(([uploadId, own]): readonly (readonly [Batch, Upload])[] => {
      const whole = asOne(own);
      return whole === undefined ? [] : [[whole, { uploadId, batches: own, whole }]];
    }),
  );
  return sortBatches([...uploads.keys()]).flatMap((whole) => uploads.get(whole) ?? []);
};

/** The batches as one; undefined if there are none. */
export const asOne = (batches: readonly Batch[]): Batch | undefined => {
  const [first, ...others] = batches;
  if (first === undefined || others.length === 0) return first;
  const {
    reason: _,
    finishedAtMs: __,
    title: ___,
    notReplaced: ____,
    removed: _____,
    resent: ______,
    ...common
  } = first;
  const sum = (of: (batch: Batch) => number): number => batches.reduce((total, batch) => total + of(batch), 0);
  const state = stateOfAll(batches);
  const reason = batches.find((batch) => batch.state === state && batch.reason)?.reason;
  const removed = sum((batch) => batch.removed ?? 0);
  const notReplaced = sum((batch) => batch.notReplaced ?? 0);
  const resent = sum((batch) => batch.resent ?? 0);
  return {
    ...common,
    root: t('count.folder', { count: batches.length }),
    state,
    ...(reason && { reason }),
    ...(removed > 0 && { removed }),
    ...(notReplaced > 0 && { notReplaced }),
    ...(resent > 0 && { resent }),
    files: sum(({ files }) => files),
    uploaded: sum(({ uploaded }) => uploaded),
    skipped: sum(({ skipped }) => skipped),
    failed: sum(({ failed }) => failed),
    cancelled: sum(({ cancelled }) => cancelled),
    bytes: sum(({ bytes }) => bytes),
    bytesSent: sum(({ bytesSent }) => bytesSent),
    bytesPerSecond: sum(({ bytesPerSecond }) => bytesPerSecond),
    createdAtMs: Math.min(...batches.map(({ createdAtMs }) => createdAtMs)),
    leftOut: {
      hidden: sum(({ leftOut }) => leftOut.hidden),
      system: sum(({ leftOut }) => leftOut.system),
      links: sum(({ leftOut }) => leftOut.links),
      special: sum(({ leftOut }) => leftOut.special),
      unreadable: sum(({ leftOut }) => leftOut.unreadable),
      later: sum(({ leftOut }) => leftOut.later ?? 0),
    },
  };
};

/** In progress as long as one batch is; then paused as long as one waits for a person. */
const stateOfAll = (batches: readonly Batch[]): BatchState => {
  const states = new Set(batches.map(({ state }) => state));
  if (states.has('running')) return 'running';
  // The folders of an upload are scanned a few at a time: once one has ended, the upload is in progress.
  if (states.has('scanning')) return states.has('finished') ? 'running' : 'scanning';
  if (states.has('paused')) return 'paused';
  return states.has('finished') ? 'finished' : 'cancelled';
};

/** From 0 to 1: each folder counts the same, since the size of those that wait is not known yet. */
export const progressOfUpload = ({ batches, whole }: Upload): { readonly value?: number } =>
  batches.length === 1
    ? progressOf(whole)
    : { value: batches.reduce((sum, batch) => sum + (progressOf(batch).value ?? 0), 0) / batches.length };

/** The progress, such as "12 of 60 folders · 120 of 1,204 files · …". */
export const uploadText = ({ batches, whole }: Upload): string => {
  if (batches.length === 1) return progressText(whole);
  const done = batches.filter(({ state }) => state === 'finished' || state === 'cancelled').length;
  const folders = t('uploads.progress.folders', { done, count: batches.length });
  const isScanning = batches.some(({ state }) => state === 'scanning');
  return `${folders} · ${isScanning ? outcomeText(whole) : progressText(whole)}`;
};

/** More folders than this are counted instead of named. */
const NAMED = 3;

/** The folders by name, such as "Site A, Site B, Site C and 57 more". */
export const folderNames = (batches: readonly Batch[]): string => {
  const names = batches
    .slice(0, NAMED)
    .map(({ root }) => folderName(root))
    .join(', ');
  const count = batches.length - NAMED;
  return count > 0 ? t('uploads.andMore', { names, count }) : names;
};
