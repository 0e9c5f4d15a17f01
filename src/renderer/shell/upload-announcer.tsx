import { makeStyles } from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import type { Batch } from '../../contract/uploads.ts';
import { endSentence, folderName } from '../domain/uploads/batch-words.ts';
import { groupUploads } from '../domain/uploads/whole-upload.ts';
import { useSnapshot } from '../state/context.tsx';
import { unseen } from '../ui/styles.ts';
import { t } from '../words/words.ts';

const useStyles = makeStyles({ unseen });

/** Announces to screen readers when an upload finishes, pauses or is cancelled. */
export const UploadAnnouncer = () => {
  const styles = useStyles();
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const before = useRef<ReadonlyMap<string, Batch>>(new Map());
  const [said, say] = useState('');
  useEffect(() => {
    const old = before.current;
    before.current = new Map(groupUploads(batches).map(({ uploadId, whole }) => [uploadId, whole]));
    const sentences = [...before.current].flatMap(([uploadId, whole]) => {
      const was = old.get(uploadId)?.state;
      const sentence = was === undefined || was === whole.state ? undefined : endSentence(whole);
      return sentence === undefined ? [] : [t('uploads.said.batch', { folder: folderName(whole.root), sentence })];
    });
    if (sentences.length > 0) say(sentences.join(' '));
  }, [batches]);
  return (
    <div role="status" aria-label={t('uploads.title')} className={styles.unseen}>
      {said}
    </div>
  );
};
