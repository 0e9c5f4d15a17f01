/** Changes to an assignment in words. */

import type { OutboxEntry, Removal } from '../../../contract/offline.ts';
import type { KnownFile } from '../../../contract/uploads.ts';
import { formatMoment, toMilliseconds } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

/** A new date; without one the date is cleared. */
export type PlanAfterChange = { readonly PlanAfter?: number | undefined };

export const planAfterText = ({ PlanAfter }: PlanAfterChange): string =>
  PlanAfter === undefined
    ? t('assignment.change.clearPlanAfter')
    : t('assignment.change.planAfter', { at: formatMoment(toMilliseconds(PlanAfter)) });

/** `files`: the known files of the assignment, for the name of the removed one. */
export const removalText = (Key: string, files: readonly KnownFile[] = []): string =>
  t('assignment.change.removeFile', { name: files.find((file) => file.Key === Key)?.FileName ?? Key });

export const changeText = (entry: OutboxEntry, files?: readonly KnownFile[]): string =>
  entry.kind === 'plan-after'
    ? planAfterText(entry)
    : entry.kind === 'remove-file'
      ? removalText(entry.Key, files)
      : removalsText(entry);

/** What a removal of several files will do, or has done. */
export const removalsText = ({ files, removed, waiting }: Removal): string => {
  if (waiting > 0) return t('assignment.change.removeFiles', { count: files });
  return removed === files
    ? t('assignment.change.removed', { count: files })
    : t('assignment.change.partly', { done: removed, count: files });
};
