import { Button, makeStyles } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons';
import { BatchCard } from '../../domain/uploads/batch-card.tsx';
import { sortBatches } from '../../domain/uploads/batch-words.ts';
import { useApp, useSnapshot } from '../../state/context.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { t } from '../../words/words.ts';
import { WaitingDraft } from './waiting-draft.tsx';

const useStyles = makeStyles({
  list: { listStyle: 'none', margin: 0, padding: 0, display: 'flex', flexDirection: 'column', gap: '12px' },
});

/** All uploads from this computer. */
export const UploadsPage = () => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const batches = useSnapshot((snapshot) => snapshot.batches);
  return (
    <Page
      title={t('uploads.title')}
      actions={
        <>
          <Button onClick={() => open({ name: 'watched-folders' })}>{t('watched.title')}</Button>
          <Button appearance="primary" icon={<Add20Regular />} onClick={() => open({ name: 'new-upload' })}>
            {t('newUpload.title')}
          </Button>
        </>
      }
    >
      <PageBody>
        <WaitingDraft />
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
