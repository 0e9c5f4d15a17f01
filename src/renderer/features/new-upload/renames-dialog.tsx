import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import type { Rename } from '../../../contract/uploads.ts';
import { Failure } from '../../domain/errors.tsx';
import { useRenames } from '../../queries/drafts.ts';
import type { Column } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { headerHeight } from '../../ui/data-table/styles.ts';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { inDialog } from '../../ui/dialogs.tsx';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Loading } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  list: { ...inDialog, display: 'flex', flexDirection: 'column' },
  more: { color: tokens.colorNeutralForeground3 },
});

const ROW_HEIGHT = 40;
const MOST_IN_VIEW = 8;

const columns: readonly Column<Rename>[] = [
  {
    id: 'File',
    header: () => t('newUpload.renames.file'),
    cell: ({ path }) => <MiddleCut name={path} />,
    text: ({ path }) => path,
  },
  {
    id: 'New name',
    header: () => t('newUpload.renames.newName'),
    cell: ({ FileName }) => <MiddleCut name={FileName} />,
    text: ({ FileName }) => FileName,
  },
  {
    id: 'Why',
    header: () => t('newUpload.renames.why'),
    width: '34%',
    cell: ({ reason }) => t(`newUpload.renames.reason.${reason}`),
  },
];

type RenamesDialogProps = { readonly rowId: number | undefined; readonly onClose: () => void };

/** The files that will be renamed and why, any number of them. */
export const RenamesDialog = ({ rowId, onClose }: RenamesDialogProps) => {
  const styles = useStyles();
  const { held, rowAt, onRange, read, error, reload } = useRenames(rowId);
  const more = held === undefined ? 0 : held.answer.total - held.total;
  return (
    <DialogFrame
      title={t('newUpload.renames.title')}
      onClose={onClose}
      actions={
        <Button appearance="primary" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {held === undefined && error === undefined && <Loading label={t('newUpload.renames.loading')} lines={3} />}
      {held !== undefined && (
        <div className={styles.list} style={{ height: headerHeight + ROW_HEIGHT * Math.min(held.total, MOST_IN_VIEW) }}>
          <DataTable
            id="renames"
            label={t('newUpload.renames.title')}
            columns={columns}
            count={held.total}
            rowAt={rowAt}
            rowKey={({ path }) => path}
            read={read}
            total={held.answer.total}
            rowHeight={ROW_HEIGHT}
            onRange={onRange}
            question={held.question}
          />
        </div>
      )}
      {more > 0 && <Text className={styles.more}>{t('common.moreFiles', { count: more })}</Text>}
    </DialogFrame>
  );
};
