import { useEffect, useRef } from 'react';
import type { Batch } from '../../contract/uploads.ts';
import { endSentence, folderName } from '../domain/uploads/batch-words.ts';
import { groupUploads } from '../domain/uploads/whole-upload.ts';
import { useSnapshot } from '../state/context.tsx';
import { t } from '../words/words.ts';

type UploadAnnouncerProps = {
  /** The batches that the window opened with. Any other was begun since, even if it has ended before it is seen here. */
  readonly atStart: readonly Batch[];
  readonly onAnnounce: (text: string) => void;
};

/** Says when an upload finishes, pauses or is cancelled. Renders nothing. */
export const UploadAnnouncer = ({ atStart, onAnnounce }: UploadAnnouncerProps): null => {
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const before = useRef(atStart);
  useEffect(() => {
    const old = new Map(groupUploads(before.current).map(({ uploadId, whole }) => [uploadId, whole.state]));
    before.current = batches;
    const sentences = groupUploads(batches).flatMap(({ uploadId, whole }) => {
      const was = old.get(uploadId) ?? (whole.state === 'paused' ? 'paused' : 'scanning');
      const sentence = was === whole.state ? undefined : endSentence(whole);
      return sentence === undefined ? [] : [t('uploads.said.batch', { folder: folderName(whole.root), sentence })];
    });
    if (sentences.length > 0) onAnnounce(sentences.join(' '));
  }, [batches, onAnnounce]);
  return null;
};
