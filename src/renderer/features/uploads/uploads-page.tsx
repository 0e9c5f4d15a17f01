import { makeStyles } from '@fluentui/react-components';
import { BatchCard } from '../../domain/uploads/batch-card.tsx';
import { sortBatches } from '../../domain/uploads/batch-words.ts';
import { useSnapshot } from '../../state/context.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  list: { listStyle: 'none', margin: 0, padding: 0, display: 'flex', flexDirection: 'column', gap: '12px' },
});

/** All uploads from this computer. */
export const UploadsPage = () => {
  const styles = useStyles();
  const batches = useSnapshot((snapshot) => snapshot.batches);
  return (
    <Page title={t('uploads.title')}>
      <PageBody>
        {batches.length === 0 ? (
          <Empty title={t('uploads.empty')} hint={t('uploads.emptyHint')} />
        ) : (
          <ul className={styles.list} aria-label={t('uploads.title')}>
            {sortBatches(batches).map((batch) => (
              <BatchCard key={batch.batchId} batch={batch} />
            ))}
          </ul>
        )}
      </PageBody>
    </Page>
  );
};
