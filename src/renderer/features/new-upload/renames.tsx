import { Button, makeStyles, Text } from '@fluentui/react-components';
import { errorSentences } from '../../domain/errors.tsx';
import { useRenamed } from '../../queries/drafts.ts';
import { useDialog } from '../../ui/dialogs.tsx';
import { later } from '../../ui/later.tsx';
import { Line, Minor } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

const RenamesDialog = later(async () => (await import('./renames-dialog.tsx')).RenamesDialog);

const useStyles = makeStyles({
  line: { rowGap: 0 },
});

/** How many files will be renamed, and which; nothing if none. `rowId`: only those of a row. */
export const Renames = ({ rowId }: { readonly rowId?: number }) => {
  const styles = useStyles();
  const { value: count = 0, error } = useRenamed(rowId);
  const list = useDialog<true>();
  if (error !== undefined) return <Text size={200}>{errorSentences(error)}</Text>;
  if (count === 0) return null;
  return (
    <Line className={styles.line}>
      <Minor size={200}>{t('newUpload.renames.count', { count })}</Minor>
      <Button size="small" appearance="transparent" onClick={({ currentTarget }) => list.open(currentTarget, true)}>
        {t('newUpload.renames.show')}
      </Button>
      {list.about && <RenamesDialog rowId={rowId} onClose={list.close} />}
    </Line>
  );
};
