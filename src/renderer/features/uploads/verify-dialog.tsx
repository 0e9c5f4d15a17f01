import { Button, makeStyles, ProgressBar, Text, tokens } from '@fluentui/react-components';
import type { Batch, VerifiedFile } from '../../../contract/uploads.ts';
import { errorSentences } from '../../domain/errors.tsx';
import { folderName } from '../../domain/uploads/batch-words.ts';
import { useVerifiedFiles } from '../../queries/answers.ts';
import type { Column } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { inDialog } from '../../ui/dialogs.tsx';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { formatCount } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';
import {
  differingCount,
  nothingVerified,
  type Verification,
  verdictName,
  verificationText,
  withPart,
} from './verification.ts';

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

const rowHeight = 40;

const useDifferingFilesStyles = makeStyles({
  /** As high as its rows, up to a limit where it scrolls. */
  list: { ...inDialog, display: 'flex', flexDirection: 'column', maxHeight: '256px' },
  more: { color: tokens.colorNeutralForeground3 },
});

const columns: readonly Column<VerifiedFile>[] = [
  {
    id: 'File',
    header: () => t('uploads.files.file'),
    cell: ({ path }) => <MiddleCut name={path} />,
    text: ({ path }) => path,
  },
  {
    id: 'Result',
    header: () => t('uploads.verdict.header'),
    width: '170px',
    cell: ({ verdict }) => verdictName(verdict),
  },
];

/** The files that differ from what was uploaded. Nothing if none does. */
const DifferingFiles = ({ verification }: { readonly verification: Verification }) => {
  const styles = useDifferingFilesStyles();
  const { differing } = verification;
  if (differing.length === 0) return null;
  const more = differingCount(verification) - differing.length;
  return (
    <>
      <div className={styles.list} style={{ height: 36 + differing.length * rowHeight + 1 }}>
        <DataTable
          id="differing-files"
          label={t('uploads.verify.differing')}
          columns={columns}
          count={differing.length}
          rowAt={(index) => differing[index]}
          rowKey={({ path }) => path}
        />
      </div>
      {more > 0 && <Text className={styles.more}>{t('common.moreFiles', { count: more })}</Text>}
    </>
  );
};
