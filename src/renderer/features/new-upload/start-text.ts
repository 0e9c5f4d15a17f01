/** When an upload starts and what it ends with, in words. */
import type { AutomaticReceipt } from '../../../contract/uploads.ts';
import { formatMoment, fromInputValue } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import type { StartTime } from './start-time.ts';

/** `isManaged`: the organisation has set the hours, which count for all uploads. */
const timeText = (time: StartTime, isManaged: boolean): string => {
  const atMs = time.kind === 'at' ? fromInputValue(time.at) : undefined;
  if (atMs !== undefined) return t('uploads.starts', { at: formatMoment(atMs) });
  if (time.kind === 'now' && isManaged) return t('newUpload.when.hours');
  return t(`newUpload.when.${time.kind === 'now' ? 'starts' : time.kind}`);
};

/** Such as "Starts now · Receipt: PDF". */
export const startText = (time: StartTime, receipt: AutomaticReceipt, isManaged: boolean): string => {
  const when = timeText(time, isManaged);
  if (receipt === 'none') return when;
  return `${when} · ${t('newUpload.when.receipt', { format: t(`uploads.receipt.format.${receipt}`) })}`;
};
