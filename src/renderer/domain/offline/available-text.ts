import type { OfflineStatus } from '../../../contract/offline.ts';
import { t } from '../../words/words.ts';

/** The progress, such as "120 of 240 protocols available offline". */
export const availableText = ({ available, total }: OfflineStatus): string =>
  t('offline.available', { available, count: total });
