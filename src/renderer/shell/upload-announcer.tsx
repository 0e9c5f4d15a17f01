import { makeStyles } from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import type { Batch } from '../../contract/batches.ts';
import { folderName, stateSentence } from '../domain/uploads/batch-words.ts';
import { useSnapshot } from '../state/context.tsx';
import { unseen } from '../ui/unseen.ts';
import { t } from '../words/words.ts';

const useStyles = makeStyles({ unseen });

const endings: readonly Batch['state'][] = ['finished', 'paused', 'cancelled'];

/** Announces to screen readers when an upload finishes, pauses or is cancelled. */
export const UploadAnnouncer = () => {
  const styles = useStyles();
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const before = useRef(batches);
  const [said, say] = useState('');
  useEffect(() => {
    const ended = batches.filter(
      (batch) =>
        endings.includes(batch.state) &&
        before.current.some((old) => old.batchId === batch.batchId && old.state !== batch.state),
    );
    before.current = batches;
    if (ended.length > 0)
      say(
        ended
          .map((batch) => t('uploads.said.batch', { folder: folderName(batch.root), sentence: stateSentence(batch) }))
          .join(' '),
      );
  }, [batches]);
  return (
    <div role="status" aria-label={t('uploads.title')} className={styles.unseen}>
      {said}
    </div>
  );
};
