import { Button, makeStyles } from '@fluentui/react-components';
import { Delete20Regular } from '@fluentui/react-icons';
import type { KnownFile } from '../../../contract/models.ts';
import { Confirm } from '../../ui/confirm.tsx';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { formatMoment } from '../../ui/dates.ts';

const useStyles = makeStyles({
  /** As high as its rows, up to where it scrolls by itself. */
  table: { display: 'flex', flexDirection: 'column', maxHeight: '420px' },
});

const provenance = ({ source, at }: KnownFile): string =>
  source === 'uploaded-here' ? `Uploaded here, ${formatMoment(at)}` : `Named by the service, ${formatMoment(at)}`;

export type KnownFileTableProps = {
  readonly files: readonly KnownFile[];
  readonly busy: boolean;
  readonly onRemove: (Key: string) => void;
};

/** Known files with where the knowledge comes from. */
export const KnownFileTable = ({ files, busy, onRemove }: KnownFileTableProps) => {
  const styles = useStyles();
  const columns: readonly Column<KnownFile>[] = [
    { header: 'File', cell: (file) => <span title={file.FileName}>{file.FileName}</span> },
    { header: 'Uploaded by', width: '15%', cell: (file) => file.UploadedBy },
    { header: 'Known since', width: '45%', cell: provenance },
    {
      header: 'Remove',
      width: '84px',
      cell: (file) => (
        <Confirm
          title="Remove this file?"
          action="Remove file"
          onConfirm={() => onRemove(file.Key)}
          trigger={
            <Button
              appearance="subtle"
              icon={<Delete20Regular />}
              disabledFocusable={busy}
              aria-label={`Remove ${file.FileName}`}
            />
          }
        >
          “{file.FileName}” is removed from the assignment at the service. The file on your computer stays.
        </Confirm>
      ),
    },
  ];
  return (
    <div className={styles.table} style={{ height: 36 + files.length * 40 + 1 }}>
      <DataTable label="Known files" columns={columns} count={files.length} rowAt={(index) => files[index]} />
    </div>
  );
};
