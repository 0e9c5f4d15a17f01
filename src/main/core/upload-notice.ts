/** What a notification says of uploads that have ended or stopped. */
import { posix, win32 } from 'node:path';
import type { Batch } from '../../contract/batches.ts';
import type { UploadNotice } from '../hosts/host.ts';
import { errorText } from './english-error-text.ts';

/** More folders than these are counted. */
const NAMED_FOLDERS = 3;

/** Of one upload its folder, assignment and outcome; of several, which ended together, their sums. */
export const uploadNotice = (batches: readonly [Batch, ...Batch[]]): UploadNotice => {
  const [first] = batches;
  const isPaused = batches.some(({ state }) => state === 'paused');
  const state = isPaused ? 'paused' : 'finished';
  const name = batches.length === 1 ? folderName(first) : `${batches.length} folders`;
  const sum = (of: (batch: Batch) => number): number => batches.reduce((before, batch) => before + of(batch), 0);
  const done = sum(({ uploaded, skipped }) => uploaded + skipped);
  const failed = sum((batch) => batch.failed);
  const targets = new Set(batches.map(targetName));
  const target = targets.size === 1 ? targetName(first) : `${targets.size} assignments`;
  const outcome = `${count(done)} of ${count(sum(({ files }) => files))} files uploaded to ${target}`;
  const reason = batches.find((batch) => batch.state === 'paused' && batch.reason)?.reason;
  return {
    title: `Upload ${state}: ${name}`,
    body: [
      batches.length > 1 && `${listed(batches.map(folderName))}.`,
      `${outcome}${failed > 0 ? `, ${count(failed)} failed` : ''}.`,
      reason && errorText(reason).title,
    ]
      .filter(Boolean)
      .join(' '),
  };
};

const count = (files: number): string => files.toLocaleString('en');

/** The name of a folder chosen on any system. */
const folderName = ({ root }: Batch): string =>
  (root.includes('\\') ? win32.basename(root) : posix.basename(root)) || root;

const targetName = ({ title, AssignmentId }: Batch): string => title ?? `assignment ${AssignmentId}`;

const listed = (names: readonly string[]): string =>
  names.length <= NAMED_FOLDERS
    ? names.join(', ')
    : `${names.slice(0, NAMED_FOLDERS).join(', ')} and ${names.length - NAMED_FOLDERS} more`;
