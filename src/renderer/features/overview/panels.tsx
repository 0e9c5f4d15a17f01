import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { compact, sortBy, sumBy, uniq } from 'es-toolkit';
import { useRef, useState } from 'react';
import { isPending, isRejected } from '../../../contract/offline.ts';
import { assignmentName } from '../../../contract/resources.ts';
import { batchName, hasEnded, isBeingCancelled, isHeldBack } from '../../../contract/uploads.ts';
import { ActionButton, OpenButton } from '../../domain/actions.tsx';
import { PendingChanges } from '../../domain/assignments/changes.tsx';
import { availableText, listsText, OfflineData } from '../../domain/offline.tsx';
import { OpenLink } from '../../domain/open-link.tsx';
import {
  endSentence,
  failuresOf,
  groupUploads,
  isFinishedWithFailures,
  type Upload,
} from '../../domain/uploads/batch-words.ts';
import { UploadCard } from '../../domain/uploads/batches.tsx';
import { ReviewWatched, watchedTexts } from '../../domain/watched.tsx';
import { useAssignment } from '../../queries/query.tsx';
import { useDesk, useSnapshot } from '../../state/store.tsx';
import { useNow, useOnChange } from '../../ui/hooks.ts';
import { Message } from '../../ui/message.tsx';
import { Line, Minor, Part, StackList } from '../../ui/page.tsx';
import { bareList, lines, stacked } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';
import { useWorkList } from './work-part.tsx';

const useStyles = makeStyles({
  panels: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 400px), 1fr))',
    alignItems: 'start',
    gap: `${tokens.spacingVerticalXXL} ${tokens.spacingHorizontalXXXL}`,
  },
  text: { flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' },
  minor: lines(3),
  name: { ...lines(2), textAlign: 'start' },
  list: { ...bareList, ...stacked(tokens.spacingVerticalL) },
});

/**
 * Says how many assignments are known, and shows the progress of reading the lists of assignments. During an offline
 * walk, even a paused one, shows the progress of the walk instead, once the number of protocols is known.
 */
export const KnownText = () => {
  const offline = useSnapshot((snapshot) => snapshot.offline);
  const reading = useSnapshot((snapshot) => snapshot.reading);
  const { value } = useWorkList({}, []);
  if (offline.state !== 'idle' && offline.total > 0) return availableText(offline);
  return compact([
    value && value.known > 0 && t('work.known', { count: value.known }),
    reading?.stage === 'assignments' && listsText(reading),
  ]).join(' · ');
};

export const Panels = () => (
  <div className={useStyles().panels}>
    <UploadPanel />
    <WatchedPanel />
    <OfflineData />
  </div>
);

const shown = 4;

const hasFailures = ({ whole }: Upload): boolean => isFinishedWithFailures(whole);

/**
 * How long failures are shown at the top of the page, from the start of their upload. The list of uploads shows them
 * longer.
 */
const NEWS_MS = 7 * 24 * 60 * 60_000;

/** Whether the upload has stopped until its user does something, or has failures and began at most `NEWS_MS` ago. */
const waitsForUser = (upload: Upload, nowMs: number): boolean => {
  const { whole } = upload;
  // An upload of another user does not wait for this user, who cannot continue it.
  if (whole.isOthers) return false;
  const isStopped = whole.state === 'paused' && !isHeldBack(whole) && !isBeingCancelled(whole);
  return isStopped || (hasFailures(upload) && nowMs - whole.createdAtMs < NEWS_MS);
};

/**
 * Shows one message about the uploads that wait for the user, and one about the files of watched folders that need an
 * assignment. Shows nothing if there are none.
 */
export const Attention = () => {
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const toMatch = useSnapshot(({ watchedFolders }) => sumBy(watchedFolders, ({ toMatch }) => toMatch.files));
  const now = useNow(60_000);
  const uploads = groupUploads(batches, (batch) => batch.state === 'paused' || failuresOf(batch) > 0).filter((upload) =>
    waitsForUser(upload, now),
  );
  const [first, ...others] = uploads;
  return (
    <>
      {first && (
        <Message
          intent="warning"
          title={t('overview.attention', { count: uploads.length })}
          action={
            <OpenButton
              size="small"
              place={others.length > 0 ? { name: 'uploads' } : { name: 'upload', upload: first.uploadId }}
            >
              {others.length > 0 ? t('overview.allUploads') : t('overview.showUpload')}
            </OpenButton>
          }
        >
          {others.length > 0
            ? t('common.andMore', { names: batchName(first.whole), count: others.length })
            : t('uploads.said.batch', {
                folder: batchName(first.whole),
                sentence: endSentence(first.whole) ?? '',
              })}
        </Message>
      )}
      {toMatch > 0 && (
        <Message
          intent="warning"
          action={
            <OpenButton size="small" place={{ name: 'watched-folders' }}>
              {t('watched.title')}
            </OpenButton>
          }
        >
          {t('overview.toMatch', { count: toMatch })}
        </Message>
      )}
    </>
  );
};

const UploadPanel = () => {
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const uploads = groupUploads(batches, (batch) => !hasEnded(batch) || failuresOf(batch) > 0).filter(
    (upload) => !hasEnded(upload.whole) || hasFailures(upload),
  );
  return (
    <Part
      title={t('uploads.title')}
      actions={
        <OpenButton appearance="subtle" place={{ name: 'uploads' }}>
          {t('overview.allUploads')}
        </OpenButton>
      }
    >
      {uploads.length === 0 ? (
        <Text>{batches.length === 0 ? t('uploads.emptyHint') : t('overview.noUploads')}</Text>
      ) : (
        <StackList label={t('uploads.title')}>
          {uploads.slice(0, shown).map((upload) => (
            <UploadCard key={upload.uploadId} upload={upload} />
          ))}
        </StackList>
      )}
    </Part>
  );
};

const WatchedPanel = () => {
  const styles = useStyles();
  const folders = useSnapshot((snapshot) => snapshot.watchedFolders);
  if (folders.length === 0) return null;
  return (
    <Part
      title={t('watched.title')}
      actions={
        <OpenButton appearance="subtle" place={{ name: 'watched-folders' }}>
          {t('watched.all')}
        </OpenButton>
      }
    >
      <StackList label={t('watched.title')}>
        {folders.map((folder) => (
          <li key={folder.watchedId}>
            <Line>
              <div className={styles.text}>
                <Text weight="semibold" block>
                  {folder.name}
                </Text>
                <Minor size={200} className={styles.minor}>
                  {watchedTexts(folder).join(' ')}
                </Minor>
              </div>
              <ReviewWatched folder={folder} />
            </Line>
          </li>
        ))}
      </StackList>
    </Part>
  );
};

const AssignmentChanges = ({ id }: { readonly id: string }) => {
  const styles = useStyles();
  const summary = useAssignment(id).value?.assignment;
  const name = (summary && assignmentName(summary)) || t('common.unknownAssignment', { id });
  return (
    <li>
      <OpenLink className={styles.name} title={name} place={{ name: 'assignment', AssignmentId: id, summary }}>
        {name}
      </OpenLink>
      <PendingChanges id={id} layout="auto" />
    </li>
  );
};

/**
 * Lists the rejected and pending changes, and the receipts of removals, by assignment: at first only a few assignments,
 * so that many changes do not hide the work list. Shows nothing if there are no changes. `onSent` is called after an
 * attempt to send the pending changes, because the service may be reachable again.
 */
export const ChangePanel = ({ onSent }: { readonly onSent: () => void }) => {
  const styles = useStyles();
  const { outbox } = useDesk();
  const entries = useSnapshot((snapshot) => snapshot.outbox);
  const list = useRef<HTMLUListElement>(null);
  const [showsAll, showAll] = useState(false);
  // The focused button disappears, so the focus moves to the first assignment that appears.
  useOnChange(showsAll, () => list.current?.children[shown]?.querySelector('button')?.focus());
  if (entries.length === 0) return null;
  const sorted = sortBy(entries, [(entry) => !isRejected(entry), (entry) => !isPending(entry)]);
  const ids = uniq(sorted.map(({ AssignmentId }) => AssignmentId));
  const more = showsAll ? 0 : ids.length - shown;
  return (
    <Part
      title={t('overview.changes')}
      actions={
        entries.some(isPending) && (
          <ActionButton size="small" act={() => outbox.send().then(onSent)}>
            {t('overview.sendChanges')}
          </ActionButton>
        )
      }
    >
      <ul ref={list} className={styles.list}>
        {(more > 0 ? ids.slice(0, shown) : ids).map((id) => (
          <AssignmentChanges key={id} id={id} />
        ))}
      </ul>
      {more > 0 && (
        <div>
          <Button appearance="subtle" onClick={() => showAll(true)}>
            {t('work.more', { count: more })}
          </Button>
        </div>
      )}
    </Part>
  );
};
