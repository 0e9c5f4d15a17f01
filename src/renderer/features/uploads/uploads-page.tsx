import { makeStyles } from '@fluentui/react-components';
import { useSnapshot } from '../../app/context.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { BatchCard } from './batch-card.tsx';
import { sortBatches } from './batch-words.ts';

const useStyles = makeStyles({
  list: { listStyle: 'none', margin: 0, padding: 0, display: 'flex', flexDirection: 'column', gap: '12px' },
});

/** All uploads from this computer. */
export const UploadsPage = () => {
  const styles = useStyles();
  const batches = useSnapshot((snapshot) => snapshot.batches);
  return (
    <Page title="Uploads">
      <PageBody>
        {batches.length === 0 ? (
          <Empty
            title="Nothing has been uploaded yet."
            hint="Open an assignment and choose a folder to upload to it."
          />
        ) : (
          <ul className={styles.list} aria-label="Uploads">
            {sortBatches(batches).map((batch) => (
              <BatchCard key={batch.batch} batch={batch} />
            ))}
          </ul>
        )}
      </PageBody>
    </Page>
  );
};
