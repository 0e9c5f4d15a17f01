import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { Delete20Regular } from '@fluentui/react-icons';
import type { KnownFile } from '../../../contract/uploads.ts';
import { codeWords } from '../../domain/code-words.ts';
import { CopyButton } from '../../domain/copy-button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { headerHeight } from '../../ui/data-table/styles.ts';
import { TwoLines } from '../../ui/data-table/two-lines.tsx';
import type { TableSelection } from '../../ui/data-table/use-selection.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

const ROW_HEIGHT = 52;

const useStyles = makeStyles({
  /** As high as its rows, up to a limit where it scrolls. */
  table: { display: 'flex', flexDirection: 'column', maxHeight: '420px' },
  actions: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

const uploadedBy: Column<KnownFile> = {
  id: 'Uploaded by',
  header: () => t('assignment.files.uploadedBy'),
  width: '15%',
  minor: true,
  cell: (file) => codeWords(file.UploadedBy),
};

/** Files of the same name can come from several folders. */
const file: Column<KnownFile> = {
  id: 'File',
  header: () => t('assignment.files.file'),
  cell: ({ FileName, folder }) => (
    <TwoLines first={<MiddleCut name={FileName} />} second={folder === undefined ? '' : <MiddleCut name={folder} />} />
  ),
  text: ({ FileName, folder }) => [folder, FileName].filter(Boolean).join('/'),
};

const size: Column<KnownFile> = {
  id: 'Size',
  header: () => t('assignment.files.size'),
  width: '88px',
  align: 'end',
  cell: ({ sizeBytes }) => sizeBytes !== undefined && formatBytes(sizeBytes),
};

const added: Column<KnownFile> = {
  id: 'Added',
  header: () => t('assignment.files.since'),
  width: '184px',
  cell: ({ source, addedAtMs }) => (
    <TwoLines
      first={source === 'uploaded-here' ? t('assignment.files.uploadedHere') : t('assignment.files.named')}
      second={formatMoment(addedAtMs)}
    />
  ),
  text: ({ addedAtMs }) => formatMoment(addedAtMs),
};

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
    file,
    ...(files.some(({ sizeBytes }) => sizeBytes !== undefined) ? [size] : []),
    // Only files that the service has reported have it.
    ...(files.some(({ UploadedBy }) => UploadedBy !== '') ? [uploadedBy] : []),
    added,
    {
      id: 'Actions',
      header: () => t('assignment.files.actions'),
      width: '132px',
      cell: (file) => (
        <div className={styles.actions}>
          <Confirm
            title={t('assignment.files.removeQuestion')}
            action={t('assignment.files.removeAction')}
            onConfirm={() => onRemove(file.Key)}
            trigger={
              <Button
                appearance="subtle"
                size="small"
                icon={<Delete20Regular />}
                disabledFocusable={busy}
                title={t('assignment.files.removeNamed', { name: file.FileName })}
                aria-label={t('assignment.files.removeNamed', { name: file.FileName })}
              />
            }
          >
            {t('assignment.files.removeExplained', { name: file.FileName })}
          </Confirm>
          {/* A key is long and says nothing to people: it is copied, and not shown. */}
          <CopyButton label={t('assignment.files.copyKey', { name: file.FileName })} text={file.Key} />
        </div>
      ),
    },
  ];
  return (
    <div className={styles.table} style={{ height: headerHeight + files.length * ROW_HEIGHT + 1 }}>
      <DataTable
        id="known-files"
        label={t('assignment.files.title')}
        columns={columns}
        count={files.length}
        rowAt={(index) => files[index]}
        rowHeight={ROW_HEIGHT}
        selection={selection}
      />
    </div>
  );
};
