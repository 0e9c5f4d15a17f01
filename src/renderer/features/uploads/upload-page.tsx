import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { Failure } from '../../domain/errors/failure.tsx';
import { BatchActions } from '../../domain/uploads/batch-actions.tsx';
import { BatchProgress } from '../../domain/uploads/batch-progress.tsx';
import { begunText, folderName, leftOutText } from '../../domain/uploads/batch-words.ts';
import { SaveReceipt } from '../../domain/uploads/save-receipt.tsx';
import {
  folderNames,
  groupUploads,
  progressOfUpload,
  type Upload,
  uploadText,
} from '../../domain/uploads/whole-upload.ts';
import { useSnapshot } from '../../state/context.tsx';
import { Page } from '../../ui/page.tsx';
import { useMemoInWords } from '../../words/revision.ts';
import { t } from '../../words/words.ts';
import { AddedLater } from './added-later.tsx';
import { BatchPage } from './batch-page.tsx';
import { UploadBatchTable } from './upload-batch-table.tsx';

const useStyles = makeStyles({
  summary: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    padding: `0 ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalS}`,
  },
  receipt: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
  minor: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere' },
});

/** One upload with its folders and their assignments; that of one folder is the page of its batch. */
export const UploadPage = ({ id }: { readonly id: string }) => {
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const upload = useMemoInWords(
    () => groupUploads(batches.filter(({ uploadId }) => uploadId === id))[0],
    [batches, id],
  );
  if (upload === undefined)
    return (
      <Page title={t('uploads.one')}>
        <Failure error={{ code: 'upload/batch-unknown', message: `upload ${id}`, retry: 'never', details: {} }} />
      </Page>
    );
  return upload.batches.length === 1 ? (
    <BatchPage id={upload.whole.batchId} />
  ) : (
    <UploadOfSeveral key={upload.uploadId} upload={upload} />
  );
};

const UploadOfSeveral = ({ upload }: { readonly upload: Upload }) => {
  const styles = useStyles();
  const { uploadId, batches, whole } = upload;
  const leftOut = leftOutText(whole.leftOut);
  return (
    <Page
      title={folderName(whole.root)}
      subtitle={`${folderNames(batches)} · ${begunText(whole)}`}
      actions={<BatchActions batch={whole} upload={uploadId} />}
    >
      <div className={styles.summary}>
        <BatchProgress batch={whole} progress={progressOfUpload(upload)} text={uploadText(upload)} />
        <AddedLater batch={whole} upload={uploadId} />
        <div className={styles.receipt}>
          <SaveReceipt batches={batches} />
        </div>
        {leftOut !== '' && (
          <Text size={200} className={styles.minor}>
            {t('uploads.leftOut', { what: leftOut })}
          </Text>
        )}
      </div>
      <UploadBatchTable batches={batches} />
    </Page>
  );
};
