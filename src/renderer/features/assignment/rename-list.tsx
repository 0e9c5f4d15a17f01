import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { UploadPreview } from '../../../contract/models.ts';
import type { Rename } from '../../../contract/names.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { PlainTable } from '../../ui/data-table/plain-table.tsx';
import { inDialog } from '../../ui/in-dialog.ts';
import { t } from '../../words/words.ts';
import { reasonNames } from './upload-preview.ts';

const useStyles = makeStyles({
  list: { ...inDialog, maxHeight: '232px', overflow: 'auto' },
  more: { color: tokens.colorNeutralForeground3 },
});

const columns: readonly Column<Rename>[] = [
  { header: t('assignment.upload.file'), cell: ({ path }) => path },
  { header: t('assignment.upload.newName'), cell: ({ FileName }) => FileName },
  { header: t('assignment.upload.why'), width: '34%', cell: ({ reason }) => reasonNames[reason] },
];

/** Which files get another name, and why: the first of them, and how many more there are. */
export const RenameList = ({ renames, renamed }: Pick<UploadPreview, 'renames' | 'renamed'>) => {
  const styles = useStyles();
  if (renamed === 0) return null;
  const more = renamed - renames.length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard. */}
      <section className={styles.list} aria-label={t('assignment.upload.renames')} tabIndex={0}>
        <PlainTable
          id="renames"
          label={t('assignment.upload.renames')}
          columns={columns}
          rows={renames}
          // Two folders may hold the same path.
          rowKey={(rename) => String(renames.indexOf(rename))}
        />
      </section>
      {more > 0 && <Text className={styles.more}>{t('assignment.upload.more', { count: more })}</Text>}
    </>
  );
};
