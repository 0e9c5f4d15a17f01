import { makeStyles, Text } from '@fluentui/react-components';
import { shownPath } from '../../../contract/text.ts';
import type { Rename } from '../../../contract/uploads.ts';
import { errorSentences } from '../../domain/errors.tsx';
import { useCallQuery, useCalls, useWindowQuery } from '../../queries/query.tsx';
import { type Column, nameCells } from '../../ui/data-table/columns.tsx';
import { PlainTable } from '../../ui/data-table/data-table.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { DialogButton } from '../../ui/dialogs.tsx';
import { Line, Minor } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  line: { rowGap: 0 },
});

/**
 * Returns the part of the input of `drafts.names` that selects files: those of a row or, if everything goes to one
 * assignment, those of the whole draft.
 */
const ofRow = (rowId: number | undefined) => (rowId === undefined ? {} : { rowId });

/**
 * Shows how many files will be renamed, with a button that lists them. Shows nothing if there are none. `rowId`: only
 * the files of this row.
 */
export const Renames = ({ rowId }: { readonly rowId?: number }) => {
  const styles = useStyles();
  const { drafts } = useCalls();
  const { value, error } = useCallQuery({
    ...drafts.names({ ...ofRow(rowId), limit: 1 }),
    placeholderData: () => undefined,
  });
  const count = value?.total ?? 0;
  if (error !== undefined) return <Text size={200}>{errorSentences(error)}</Text>;
  if (count === 0) return null;
  return (
    <Line className={styles.line}>
      <Minor size={200}>{t('newUpload.renames.count', { count })}</Minor>
      <DialogButton
        size="small"
        appearance="transparent"
        dialog={(onClose) => <RenamesDialog rowId={rowId} onClose={onClose} />}
      >
        {t('newUpload.renames.show')}
      </DialogButton>
    </Line>
  );
};

/** The maximum height of the table in px: the header and eight rows. */
const MAX_HEIGHT = 356;

const columns: readonly Column<Rename>[] = [
  { id: 'File', header: 'common.file', ...nameCells(({ path }) => shownPath(path)) },
  { id: 'New name', header: 'newUpload.renames.newName', ...nameCells(({ FileName }) => FileName) },
  {
    id: 'Why',
    header: 'common.reason',
    width: '40%',
    cell: ({ reason }) => t(`newUpload.renames.reason.${reason}`),
  },
];

const RenamesDialog = ({ rowId, onClose }: { readonly rowId: number | undefined; readonly onClose: () => void }) => {
  const found = useWindowQuery('renames', ({ drafts }, window) => drafts.names({ ...ofRow(rowId), ...window }));
  const { count = 0, result } = found;
  const more = result === undefined ? 0 : result.total - count;
  return (
    <DialogFrame title={t('newUpload.renames.title')} onClose={onClose}>
      <PlainTable
        rows={found}
        loading={t('newUpload.renames.loading')}
        id="renames"
        label={t('newUpload.renames.title')}
        columns={columns}
        rowKey={({ path }) => path}
        total={result?.total}
        maxHeight={MAX_HEIGHT}
        fits
      />
      {more > 0 && <Minor>{t('common.moreFiles', { count: more })}</Minor>}
    </DialogFrame>
  );
};
