import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { type Batch, hasEnded } from '../../../contract/batches.ts';
import { BatchCard } from '../../domain/uploads/batch-card.tsx';
import { sortBatches } from '../../domain/uploads/batch-words.ts';
import { useApp, useSnapshot } from '../../state/context.tsx';
import { Part } from '../../ui/part.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  list: {
    listStyle: 'none',
    margin: 0,
    padding: 0,
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalM,
  },
});

const shown = 4;

/** Whether `batch` is in progress, waits for a person, or has failed files. */
const needsAttention = (batch: Batch): boolean => !hasEnded(batch) || (batch.state === 'finished' && batch.failed > 0);

/** The uploads that need attention. */
export const UploadPanel = () => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const watched = sortBatches(batches.filter(needsAttention));
  return (
    <Part
      title={t('overview.uploads')}
      actions={
        <Button appearance="subtle" onClick={() => open({ name: 'uploads' })}>
          {t('overview.allUploads')}
        </Button>
      }
    >
      {watched.length === 0 ? (
        <Text>{t('overview.noUploads')}</Text>
      ) : (
        <ul className={styles.list} aria-label={t('overview.uploads')}>
          {watched.slice(0, shown).map((batch) => (
            <BatchCard key={batch.batchId} batch={batch} />
          ))}
        </ul>
      )}
    </Part>
  );
};
