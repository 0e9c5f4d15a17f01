/** What an upload would send, in words and figures. */

import type { RenameReason } from '../../../contract/names.ts';
import type { UploadPreview } from '../../../contract/upload-preview.ts';
import { leftOutText } from '../../domain/uploads/batch-words.ts';
import { formatBytes } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';

/** Such as "1,204 files, 80 MB. Left out: 2 hidden files. 3 files will be renamed." */
export const previewText = ({ files, bytes, renamed, leftOut }: UploadPreview): string => {
  const left = leftOutText(leftOut);
  return [
    files === 0
      ? t('assignment.upload.nothing')
      : t('assignment.upload.amount', { files: t('count.file', { count: files }), size: formatBytes(bytes) }),
    left !== '' && `${t('uploads.leftOut', { what: left })}.`,
    renamed > 0 && t('assignment.upload.renamed', { count: renamed }),
  ]
    .filter((part) => part !== false)
    .join(' ');
};

export const reasonName = (reason: RenameReason): string => t(`assignment.upload.reason.${reason}`);
