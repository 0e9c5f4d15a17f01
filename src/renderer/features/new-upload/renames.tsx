import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { Suspense } from 'react';
import { errorSentences } from '../../domain/errors.tsx';
import { useRenamed } from '../../queries/drafts.ts';
import { useDialog } from '../../ui/dialogs.tsx';
import { later } from '../../ui/later.ts';
import { t } from '../../words/words.ts';

const RenamesDialog = later(async () => (await import('./renames-dialog.tsx')).RenamesDialog);

const useStyles = makeStyles({
  line: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: `0 ${tokens.spacingHorizontalS}` },
  text: { color: tokens.colorNeutralForeground3 },
});

/** How many files will be renamed, and which. Nothing if none is. `rowId`: of that row; absent: of everything. */
export const Renames = ({ rowId }: { readonly rowId?: number }) => {
  const styles = useStyles();
  const { value: count = 0, error } = useRenamed(rowId);
  const list = useDialog<true>();
  if (error !== undefined) return <Text size={200}>{errorSentences(error)}</Text>;
  if (count === 0) return null;
  return (
    <div className={styles.line}>
      <Text size={200} className={styles.text}>
        {t('newUpload.renames.count', { count })}
      </Text>
      <Button size="small" appearance="transparent" onClick={({ currentTarget }) => list.open(currentTarget, true)}>
        {t('newUpload.renames.show')}
      </Button>
      {list.about && (
        <Suspense>
          <RenamesDialog rowId={rowId} onClose={list.close} />
        </Suspense>
      )}
    </div>
  );
};
