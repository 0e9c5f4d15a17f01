import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  ProgressBar,
  Text,
  tokens,
} from '@fluentui/react-components';
import { errorText } from '../../../contract/error-text.ts';
import type { Batch } from '../../../contract/models.ts';
import { formatCount } from '../../ui/amounts.ts';
import { t } from '../../words/words.ts';
import { folderName } from './batch-words.ts';
import { DifferingFiles } from './differing-files.tsx';
import { useVerification } from './use-verification.ts';
import { verificationText } from './verification.ts';

const useStyles = makeStyles({
  surface: { maxWidth: '720px' },
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM },
});

export type VerifyDialogProps = { readonly batch: Batch; readonly onClose: () => void };

/** Holds the files on this computer against what was uploaded. Closing it ends that. */
export const VerifyDialog = ({ batch, onClose }: VerifyDialogProps) => {
  const styles = useStyles();
  const { verification, ended, error } = useVerification(batch.batch);
  const { done } = verification;
  const running = !ended && error === undefined;
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogSurface className={styles.surface}>
        <DialogBody>
          <DialogTitle>{t('uploads.verify.title', { folder: folderName(batch.root) })}</DialogTitle>
          <DialogContent className={styles.content}>
            {running && (
              <>
                <Text>{t('uploads.verify.explained')}</Text>
                <ProgressBar
                  aria-label={t('uploads.verify.progress')}
                  thickness="large"
                  value={batch.files === 0 ? 0 : done / batch.files}
                />
                <Text>
                  {t('uploads.progress.of', {
                    done: formatCount(done),
                    all: t('count.file', { count: batch.files }),
                  })}
                </Text>
              </>
            )}
            <Text role="status">
              {ended && verificationText(verification)}
              {error && `${errorText(error).title} ${errorText(error).todo}`}
            </Text>
            <DifferingFiles verification={verification} />
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>{running ? t('common.cancel') : t('common.close')}</Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
};
