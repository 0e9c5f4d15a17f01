import { Button, makeStyles } from '@fluentui/react-components';
import { Delete20Regular } from '@fluentui/react-icons';
import type { KnownFile } from '../../../contract/upload-files.ts';
import { codeWords } from '../../domain/code-words.ts';
import { CopyButton } from '../../domain/copy-button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { TableSelection } from '../../ui/data-table/use-selection.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  /** As high as its rows, up to a limit where it scrolls. */
  table: { display: 'flex', flexDirection: 'column', maxHeight: '420px' },
});

const uploadedBy: Column<KnownFile> = {
  id: 'Uploaded by',
  header: () => t('assignment.files.uploadedBy'),
  width: '15%',
  cell: (file) => codeWords(file.UploadedBy),
};

/** Files of the same name can come from several folders. */
const folder: Column<KnownFile> = {
  id: 'Folder',
  header: () => t('assignment.files.folder'),
  width: '24%',
  minor: true,
  cell: (file) => file.folder !== undefined && <MiddleCut name={file.folder} />,
};

const size: Column<KnownFile> = {
  id: 'Size',
  header: () => t('assignment.files.size'),
  width: '88px',
  align: 'end',
  cell: ({ sizeBytes }) => sizeBytes !== undefined && formatBytes(sizeBytes),
};

/** A key is long and says nothing to people: it is copied, and not shown. */
const objectKey: Column<KnownFile> = {
  id: 'Object key',
  header: () => t('assignment.files.key'),
  width: '116px',
  cell: ({ FileName, Key }) => <CopyButton label={t('assignment.files.copyKey', { name: FileName })} text={Key} />,
};

const provenance = ({ source, addedAtMs }: KnownFile): string =>
  source === 'uploaded-here'
    ? t('assignment.files.uploadedHere', { at: formatMoment(addedAtMs) })
    : t('assignment.files.named', { at: formatMoment(addedAtMs) });

type KnownFileTableProps = {
  readonly files: readonly KnownFile[];
  readonly busy: boolean;
  readonly onRemove: (Key: string) => void;
  readonly selection: TableSelection<KnownFile>;
};

/** The known files, and how each is known. */
export const KnownFileTable = ({ files, busy, onRemove, selection }: KnownFileTableProps) => {
  const styles = useStyles();
  const columns: readonly Column<KnownFile>[] = [
    { id: 'File', header: () => t('assignment.files.file'), cell: (file) => <MiddleCut name={file.FileName} /> },
    ...(files.some(({ folder }) => folder !== undefined) ? [folder, size] : []),
    // Only files that the service has reported have it.
    ...(files.some(({ UploadedBy }) => UploadedBy !== '') ? [uploadedBy] : []),
    { id: 'Added', header: () => t('assignment.files.since'), width: '28%', cell: provenance },
    objectKey,
    {
      id: 'Remove',
      header: () => t('assignment.files.remove'),
      width: '84px',
      cell: (file) => (
        <Confirm
          title={t('assignment.files.removeQuestion')}
          action={t('assignment.files.removeAction')}
          onConfirm={() => onRemove(file.Key)}
          trigger={
            <Button
              appearance="subtle"
              icon={<Delete20Regular />}
              disabledFocusable={busy}
              aria-label={t('assignment.files.removeNamed', { name: file.FileName })}
            />
          }
        >
          {t('assignment.files.removeExplained', { name: file.FileName })}
        </Confirm>
      ),
    },
  ];
  return (
    <div className={styles.table} style={{ height: 36 + files.length * 40 + 1 }}>
      <DataTable
        id="known-files"
        label={t('assignment.files.title')}
        columns={columns}
        count={files.length}
        rowAt={(index) => files[index]}
        selection={selection}
      />
    </div>
  );
};
