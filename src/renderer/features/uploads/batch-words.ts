/** A batch in words and figures. */
import { errorText } from '../../../contract/error-text.ts';
import type { Batch, BatchState, LeftOut } from '../../../contract/models.ts';
import { counted, formatBytes, formatCount, formatTimeLeft } from '../../ui/amounts.ts';

/** The last part of a folder's path, on Windows or elsewhere. */
export const folderName = (root: string): string =>
  root
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .at(-1) ?? root;

/** Files with which nothing more will happen. */
export const settledFiles = ({ uploaded, skipped, failed, cancelled }: Batch): number =>
  uploaded + skipped + failed + cancelled;

export const stateNames: Readonly<Record<BatchState, string>> = {
  scanning: 'Reading the folder',
  running: 'Uploading',
  paused: 'Paused',
  finished: 'Finished',
  cancelled: 'Cancelled',
};

/** From 0 to 1; no number while the folder is still being read. */
export const progressOf = (batch: Batch): { readonly value?: number } => {
  if (batch.state === 'scanning') return {};
  if (batch.bytes > 0) return { value: Math.min(1, batch.bytesSent / batch.bytes) };
  return { value: batch.files === 0 ? 0 : settledFiles(batch) / batch.files };
};

/** How far it is, such as "120 of 1,204 files · 80 MB of 1.2 GB · 12 MB/s · about 2 minutes left". */
export const progressText = (batch: Batch): string => {
  if (batch.state === 'scanning') return `${counted(batch.files, 'file')} found so far`;
  const parts = [
    `${formatCount(settledFiles(batch))} of ${counted(batch.files, 'file')}`,
    `${formatBytes(batch.bytesSent)} of ${formatBytes(batch.bytes)}`,
  ];
  if (batch.state === 'running' && batch.bytesPerSecond > 0) {
    const left = formatTimeLeft(batch.bytes - batch.bytesSent, batch.bytesPerSecond);
    parts.push(`${formatBytes(batch.bytesPerSecond)}/s`, ...(left === undefined ? [] : [`${left} left`]));
  }
  if (batch.failed > 0) parts.push(`${formatCount(batch.failed)} failed`);
  return parts.join(' · ');
};

/** What became of the files, such as "1,200 uploaded, 3 already there, 1 failed". */
export const outcomeText = ({ uploaded, skipped, failed, cancelled }: Batch): string =>
  [
    `${formatCount(uploaded)} uploaded`,
    skipped > 0 && `${formatCount(skipped)} already there`,
    failed > 0 && `${formatCount(failed)} failed`,
    cancelled > 0 && `${formatCount(cancelled)} cancelled`,
  ]
    .filter((part) => part !== false)
    .join(', ');

/** The batch in one sentence, for announcements. */
export const stateSentence = (batch: Batch): string =>
  batch.state === 'paused' && batch.reason !== undefined
    ? `Upload paused. ${errorText(batch.reason).title}`
    : `Upload ${stateNames[batch.state].toLowerCase()}: ${outcomeText(batch)}.`;

/** Which files of the folder were not taken up, and why; empty when all were. */
export const leftOutText = ({ hidden, system, links, unreadable }: LeftOut): string =>
  [
    hidden > 0 && counted(hidden, 'hidden file'),
    system > 0 && counted(system, 'system file'),
    links > 0 && counted(links, 'link'),
    unreadable > 0 && `${counted(unreadable, 'file')} that could not be read`,
  ]
    .filter((part) => part !== false)
    .join(', ');

const order: Readonly<Record<BatchState, number>> = { running: 0, scanning: 0, paused: 1, finished: 2, cancelled: 2 };

/** Those at work first, then those that wait for a person, then the others; newest first among their like. */
export const sortBatches = (batches: readonly Batch[]): readonly Batch[] =>
  batches.toSorted((a, b) => order[a.state] - order[b.state] || b.created - a.created);
