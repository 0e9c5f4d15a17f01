/** An upload as users see it: all batches that were started together, as one. */
import {
  type Batch,
  type BatchState,
  commonFolderName,
  hasEnded,
  isBeingCancelled,
  sumOfBatches,
} from '../../../contract/uploads.ts';
import { t } from '../../words/words.ts';
import { batchName, outcomeText, progressOf, progressText, sortBatches } from './batch-words.ts';

/** `whole`: its batches as one, with the sums of their counts; a single batch stands for itself. */
export type Upload = { readonly uploadId: string; readonly batches: readonly Batch[]; readonly whole: Batch };

/**
 * The uploads of these batches: those in progress first, then paused ones, then the others; each group newest first.
 */
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
 * The name of the folder that contains all folders of the upload. Without one, the name of the first folder and the
 * number of the others.
 */
const uploadName = (batches: readonly [Batch, ...Batch[]]): string =>
  commonFolderName(batches.map(({ root }) => root)) ??
  t('uploads.andMore', { names: batchName(batches[0]), count: batches.length - 1 });

/**
 * The state of several batches as one: in progress while any of them is, then paused while any is, then finished if any
 * is.
 */
const stateOfAll = (batches: readonly Batch[]): BatchState => {
  const states = new Set(batches.map(({ state }) => state));
  if (states.has('running')) return 'running';
  // The folders of an upload are scanned a few at a time: once one has finished, the upload counts as running.
  if (states.has('scanning')) return states.has('finished') ? 'running' : 'scanning';
  if (states.has('paused')) return 'paused';
  return states.has('finished') ? 'finished' : 'cancelled';
};

/**
 * The share of the work that is done, from 0 to 1. Each folder has the same weight, because the size of folders that
 * wait is not known yet. For a single batch, and while the upload is being cancelled, the result of `progressOf`.
 */
export const progressOfUpload = ({ batches, whole }: Upload): { readonly value?: number } =>
  batches.length === 1 || isBeingCancelled(whole)
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
  const names = batches.slice(0, NAMED).map(batchName).join(', ');
  const count = batches.length - NAMED;
  return count > 0 ? t('uploads.andMore', { names, count }) : names;
};
