import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useCallback } from 'react';
import type { Rename } from '../../../contract/names.ts';
import type { UploadPreview } from '../../../contract/upload-preview.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { headerHeight } from '../../ui/data-table/styles.ts';
import { inDialog } from '../../ui/in-dialog.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { t } from '../../words/words.ts';
import { reasonName } from './upload-preview.ts';

const useStyles = makeStyles({
  list: { ...inDialog, display: 'flex', flexDirection: 'column' },
  more: { color: tokens.colorNeutralForeground3 },
});

const ROW_HEIGHT = 40;
const MOST_IN_VIEW = 5;

const columns: readonly Column<Rename>[] = [
  { id: 'File', header: () => t('assignment.upload.file'), cell: ({ path }) => <MiddleCut name={path} /> },
  {
    id: 'New name',
    header: () => t('assignment.upload.newName'),
    cell: ({ FileName }) => <MiddleCut name={FileName} />,
  },
  { id: 'Why', header: () => t('assignment.upload.why'), width: '34%', cell: ({ reason }) => reasonName(reason) },
];

/** The first files that will be renamed, why, and how many more there are. */
export const RenameList = ({ renames, renamed }: Pick<UploadPreview, 'renames' | 'renamed'>) => {
  const styles = useStyles();
  const rowAt = useCallback((index: number) => renames[index], [renames]);
  if (renamed === 0) return null;
  const more = renamed - renames.length;
  return (
    <>
      <div
        className={styles.list}
        style={{ height: headerHeight + ROW_HEIGHT * Math.min(renames.length, MOST_IN_VIEW) }}
      >
        <DataTable
          id="renames"
          label={t('assignment.upload.renames')}
          columns={columns}
          count={renames.length}
          rowAt={rowAt}
          total={renamed}
          rowHeight={ROW_HEIGHT}
        />
      </div>
      {more > 0 && <Text className={styles.more}>{t('assignment.upload.more', { count: more })}</Text>}
    </>
  );
};
