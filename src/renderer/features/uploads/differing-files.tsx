import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { VerifiedFile } from '../../../contract/uploads.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { inDialog } from '../../ui/in-dialog.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { t } from '../../words/words.ts';
import { differingCount, type Verification, verdictName } from './verification.ts';

const rowHeight = 40;

const useStyles = makeStyles({
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
export const DifferingFiles = ({ verification }: { readonly verification: Verification }) => {
  const styles = useStyles();
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
