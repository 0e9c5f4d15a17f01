/** What a notification says about uploads that have ended or stopped. */
import { posix, win32 } from 'node:path';
import type { Batch } from '../../../contract/uploads.ts';
import type { Speech } from '../../../words/speech.ts';

export type UploadNotice = { readonly title: string; readonly body: string };

/** More folders than this are counted instead of named. */
const NAMED_FOLDERS = 3;

/** The folder, assignment and outcome of one upload, or the totals of several that ended together. */
export const uploadNotice = (batches: readonly [Batch, ...Batch[]], { t, errorText }: Speech<'host'>): UploadNotice => {
  const [first] = batches;
  const targetName = ({ title, AssignmentId }: Batch): string => title ?? t('notice.assignment', { id: AssignmentId });
  const sum = (of: (batch: Batch) => number): number => batches.reduce((before, batch) => before + of(batch), 0);

  const name = batches.length === 1 ? folderName(first) : t('notice.folders', { count: batches.length });
  const names = batches.slice(0, NAMED_FOLDERS).map(folderName).join(', ');
  const unnamed = batches.length - NAMED_FOLDERS;
  const targets = new Set(batches.map(targetName));
  const target = targets.size === 1 ? targetName(first) : t('notice.assignments', { count: targets.size });
  const done = sum(({ uploaded, removed = 0, skipped }) => uploaded - removed + skipped);
  const outcome = t('notice.outcome', { done, count: sum(({ files }) => files), target });
  const failed = sum((batch) => batch.failed);
  const notReplaced = sum((batch) => batch.notReplaced ?? 0);
  const reason = batches.find((batch) => batch.state === 'paused' && batch.reason)?.reason;
  return {
    title: t(batches.some(({ state }) => state === 'paused') ? 'notice.paused' : 'notice.finished', { name }),
    body: [
      batches.length > 1 && `${unnamed > 0 ? t('notice.more', { names, count: unnamed }) : names}.`,
      `${[
        outcome,
        failed > 0 && t('notice.failed', { count: failed }),
        notReplaced > 0 && t('notice.notReplaced', { count: notReplaced }),
      ]
        .filter(Boolean)
        .join(', ')}.`,
      reason && errorText(reason).title,
    ]
      .filter(Boolean)
      .join(' '),
  };
};

/** The name of a folder chosen on any system. */
const folderName = ({ root }: Batch): string =>
  (root.includes('\\') ? win32.basename(root) : posix.basename(root)) || root;
