import { Button, ProgressBar, Text } from '@fluentui/react-components';
import type { Batch } from '../../../contract/uploads.ts';
import { errorSentences } from '../../domain/errors/error-words.ts';
import { folderName } from '../../domain/uploads/batch-words.ts';
import { useVerifiedFiles } from '../../queries/uploads.ts';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { formatCount } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';
import { DifferingFiles } from './differing-files.tsx';
import { nothingVerified, verificationText, withPart } from './verification.ts';

type VerifyDialogProps = { readonly batch: Batch; readonly onClose: () => void };

/** Compares the files on this computer with what was uploaded. Closing the dialog stops that. */
export const VerifyDialog = ({ batch, onClose }: VerifyDialogProps) => {
  const { sum: verification, busy, error } = useVerifiedFiles(batch.batchId, nothingVerified, withPart);
  const { done } = verification;
  return (
    <DialogFrame
      title={t('uploads.verify.title', { folder: folderName(batch.root) })}
      onClose={onClose}
      actions={<Button onClick={onClose}>{busy ? t('common.cancel') : t('common.close')}</Button>}
    >
      {busy && (
        <>
          <Text>{t('uploads.verify.explained')}</Text>
          <ProgressBar
            aria-label={t('uploads.verify.progress')}
            thickness="large"
            value={batch.files === 0 ? 0 : done / batch.files}
          />
          <Text>{t('uploads.progress.files', { done: formatCount(done), count: batch.files })}</Text>
        </>
      )}
      <Text role="status">
        {!busy && error === undefined && verificationText(verification)}
        {error && errorSentences(error)}
      </Text>
      <DifferingFiles verification={verification} />
    </DialogFrame>
  );
};
