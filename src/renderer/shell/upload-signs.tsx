/**
 * The parts of the shell that show uploads: the indicator, the announcements, and the counts next to sections. The
 * module is loaded separately from the shell.
 */
import { Button, CounterBadge, makeStyles, ProgressBar, tokens, typographyStyles } from '@fluentui/react-components';
import { ArrowUpload20Regular } from '@fluentui/react-icons';
import { useEffect, useRef } from 'react';
import { type Batch, batchName, isActive } from '../../contract/uploads.ts';
import { countUploads, endSentence, groupUploads, progressOf, waitOf } from '../domain/uploads/batch-words.ts';
import { useApp, useSnapshot } from '../state/store.tsx';
import { folded, narrow, stacked, unseen } from '../ui/styles.ts';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  content: {
    ...stacked(tokens.spacingVerticalXXS),
    minWidth: '112px',
    [narrow]: { minWidth: '32px' },
  },
  label: {
    ...typographyStyles.caption1Strong,
    whiteSpace: 'nowrap',
    [narrow]: unseen,
  },
  badge: { [folded]: { position: 'absolute', top: '2px', right: '2px' } },
});

export const UploadIndicator = () => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const reachability = useSnapshot((snapshot) => snapshot.reachability);
  const active = batches.filter(isActive);
  if (active.length === 0) return null;
  return (
    <Button appearance="subtle" icon={<ArrowUpload20Regular />} onClick={() => open({ name: 'uploads' })}>
      <span className={styles.content}>
        <span className={styles.label}>
          {t(active.every((batch) => waitOf(batch, reachability)) ? 'shell.uploadsWaiting' : 'shell.uploading', {
            count: countUploads(active),
          })}
        </span>
        <ProgressBar aria-hidden="true" {...progressOf(...active)} />
      </span>
    </Button>
  );
};

type UploadAnnouncerProps = {
  /** The time when the shell appeared, and the batches at that time. */
  readonly atStart: { readonly atMs: number; readonly batches: readonly Batch[] };
  readonly onAnnounce: (text: string) => void;
};

/** Calls `onAnnounce` when an upload finishes, pauses or is cancelled. Renders nothing. */
export const UploadAnnouncer = ({ atStart, onAnnounce }: UploadAnnouncerProps): null => {
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const before = useRef(atStart.batches);
  useEffect(() => {
    const seen = new Set(before.current);
    const changed = new Set(batches.flatMap((batch) => (seen.has(batch) ? [] : batch.uploadId)));
    const changedIn = (all: readonly Batch[]) => groupUploads(all.filter(({ uploadId }) => changed.has(uploadId)));
    const old = new Map(changedIn(before.current).map(({ uploadId, whole }) => [uploadId, whole.state]));
    before.current = batches;
    const sentences = changedIn(batches).flatMap(({ uploadId, whole }) => {
      // An older upload appears when the connection or the user changes. A newer one may have ended before it was seen.
      const isNew = whole.state !== 'paused' && whole.createdAtMs >= atStart.atMs;
      const was = old.get(uploadId) ?? (isNew ? 'scanning' : whole.state);
      const sentence = was === whole.state ? undefined : endSentence(whole);
      return sentence === undefined ? [] : [t('uploads.said.batch', { folder: batchName(whole), sentence })];
    });
    if (sentences.length > 0) onAnnounce(sentences.join(' '));
  }, [batches, onAnnounce, atStart.atMs]);
  return null;
};

export const SectionCount = ({ count, label }: { readonly count: number; readonly label: string | undefined }) => (
  <CounterBadge className={useStyles().badge} count={count} size="small" aria-label={label} />
);
