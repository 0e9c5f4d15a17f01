import { compact } from 'es-toolkit';
import type { WatchedFolder, WatchedRules } from '../../contract/watched-folders.ts';
import { useApp, useDesk } from '../state/store.tsx';
import { formatMoment } from '../words/dates.ts';
import { t } from '../words/words.ts';
import { ActionButton } from './actions.tsx';

export const watchedTarget = ({ AssignmentId, title }: WatchedFolder): string =>
  AssignmentId === undefined
    ? t('watched.target.each')
    : t('uploads.to', { assignment: title ?? t('uploads.unnamed', { id: AssignmentId }) });

const stateWord = ({ state, paused }: WatchedFolder): string => {
  if (state === 'watching' && paused) return t('watched.state.paused');
  return t(`watched.state.${state === 'signed-out' ? 'signedOut' : state}`);
};

const waitingText = ({ waiting, paused, opensAtMs }: WatchedFolder): string | undefined => {
  if (waiting === 0) return undefined;
  if (paused) return t('watched.waiting.paused', { count: waiting });
  if (opensAtMs !== undefined) return t('watched.waiting.until', { count: waiting, at: formatMoment(opensAtMs) });
  return t('watched.waiting.soon', { count: waiting });
};

export const watchedTexts = (folder: WatchedFolder): readonly string[] => {
  const { settling, toMatch, opensAtMs, paused, waiting, sentAtMs, state } = folder;
  const isClosed = waiting === 0 && !paused && state === 'watching';
  return compact([
    `${stateWord(folder)}.`,
    settling > 0 && t('watched.settling', { count: settling }),
    waitingText(folder),
    toMatch.files > 0 && t('watched.toMatch', { count: toMatch.files }),
    isClosed && opensAtMs !== undefined && t('watched.closed', { at: formatMoment(opensAtMs) }),
    sentAtMs !== undefined && t('watched.sent', { at: formatMoment(sentAtMs) }),
  ]);
};

/**
 * A button that opens the page of a new upload with the files whose assignment the user has to choose. Shows nothing if
 * there are none.
 */
export const ReviewWatched = ({ folder }: { readonly folder: WatchedFolder }) => {
  const { watchedFolders } = useDesk();
  const give = useApp((state) => state.give);
  if (folder.toMatch.files === 0) return null;
  return (
    <ActionButton
      size="small"
      aria-label={t('watched.action.reviewOf', { folder: folder.name })}
      act={async () => {
        const folders = await watchedFolders.toMatch({ watchedId: folder.watchedId });
        if (folders.length > 0) give({ folders });
      }}
    >
      {t('watched.action.review')}
    </ActionButton>
  );
};

export const rulesOf = ({ AssignmentId, onClash, hours, paused }: WatchedFolder): WatchedRules => ({
  ...(AssignmentId !== undefined && { AssignmentId }),
  onClash,
  hours,
  paused,
});
