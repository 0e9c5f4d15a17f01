import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { FolderAdd20Regular } from '@fluentui/react-icons';
import type { Folder, WatchedFolder } from '../../../contract/watched-folders.ts';
import { ActionButton } from '../../domain/actions.tsx';
import { assignmentDay } from '../../domain/assignments/assignments.tsx';
import { ErrorMessage } from '../../domain/errors.tsx';
import { GoToSignIn } from '../../domain/reach.tsx';
import { useFileMenu } from '../../domain/uploads/files.tsx';
import { hoursText } from '../../domain/uploads/hours-choice.tsx';
import { ReviewWatched, rulesOf, watchedTarget, watchedTexts } from '../../domain/watched.tsx';
import { useAssignment } from '../../queries/query.tsx';
import { useAction, useDesk, useSnapshot } from '../../state/store.tsx';
import { DialogButton, useDialog } from '../../ui/dialogs.tsx';
import { lazily } from '../../ui/lazy.tsx';
import { Empty, Line, Page, StackList } from '../../ui/page.tsx';
import { useCardStyles } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';

const FolderDialog = lazily(async () => (await import('./folder-dialog.tsx')).FolderDialog);

export const WatchedFoldersPage = () => {
  const desk = useDesk();
  const folders = useSnapshot((snapshot) => snapshot.watchedFolders);
  const isSignedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  const adding = useDialog<Folder>();
  const pick = useAction(async (opener: HTMLElement) => {
    const folder = await desk.folders.pick();
    if (folder !== undefined) adding.open(opener, folder);
  });
  return (
    <Page
      title={t('watched.title')}
      subtitle={t('watched.hint')}
      actions={
        <>
          {!isSignedIn && folders.length > 0 && <GoToSignIn />}
          <Button
            appearance="primary"
            icon={<FolderAdd20Regular />}
            disabledFocusable={pick.busy || !isSignedIn}
            onClick={({ currentTarget }) => pick.run(currentTarget)}
          >
            {t('watched.action.add')}
          </Button>
        </>
      }
    >
      {folders.length === 0 ? (
        <Empty
          title={t('watched.empty')}
          hint={t(isSignedIn ? 'watched.emptyHint' : 'watched.emptySignedOut')}
          action={!isSignedIn && <GoToSignIn />}
        />
      ) : (
        <StackList label={t('watched.title')}>
          {folders.map((folder) => (
            <WatchedCard key={folder.watchedId} folder={folder} />
          ))}
        </StackList>
      )}
      {adding.about && <FolderDialog folder={adding.about} onClose={adding.close} />}
    </Page>
  );
};

const useWatchedCardStyles = makeStyles({
  name: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold },
});

const WatchedCard = ({ folder }: { readonly folder: WatchedFolder }) => {
  const card = useCardStyles();
  const styles = useWatchedCardStyles();
  const { watchedFolders } = useDesk();
  const menu = useFileMenu(({ watchedId }: WatchedFolder) => ({ watchedId }));
  const { watchedId, name, path, hours, paused, state, reason, waiting, opensAtMs } = folder;
  const canUploadNow = waiting > 0 && opensAtMs !== undefined && !paused && state === 'watching';
  const { assignment } = useAssignment(folder.AssignmentId).value ?? {};
  const rules = [watchedTarget(folder), assignment && assignmentDay(assignment), hoursText(hours)]
    .filter(Boolean)
    .join(' · ');
  const [current, ...others] = watchedTexts(folder);
  const pause = t(paused ? 'uploads.action.resume' : 'uploads.action.pause');
  const label = (action: string): string => t('watched.action.of', { action, folder: name });
  return (
    <li className={card.card} onContextMenu={menu && ((event) => menu(folder, event))}>
      <div className={card.header}>
        <div className={card.title}>
          <h2 className={styles.name}>{name}</h2>
          <Text size={200} className={card.minor} title={rules}>
            {rules}
          </Text>
          <Text size={200} className={card.minor} title={path}>
            {path}
          </Text>
        </div>
        <Line>
          <ReviewWatched folder={folder} />
          {canUploadNow && (
            <ActionButton
              size="small"
              aria-label={label(t('watched.action.uploadNow'))}
              act={() => watchedFolders.uploadNow({ watchedId })}
            >
              {t('watched.action.uploadNow')}
            </ActionButton>
          )}
          <ActionButton
            size="small"
            aria-label={label(pause)}
            act={() => watchedFolders.change({ watchedId, rules: { ...rulesOf(folder), paused: !paused } })}
          >
            {pause}
          </ActionButton>
          <DialogButton
            size="small"
            aria-label={label(t('watched.action.change'))}
            dialog={(onClose) => <FolderDialog folder={folder} onClose={onClose} />}
          >
            {t('watched.action.change')}
          </DialogButton>
          <ActionButton
            size="small"
            aria-label={label(t('watched.action.remove'))}
            act={() => watchedFolders.remove({ watchedId })}
            question={{
              title: t('watched.action.removeQuestion'),
              text: t('watched.action.removeExplained', { folder: name }),
              action: t('watched.action.remove'),
            }}
          >
            {t('watched.action.remove')}
          </ActionButton>
        </Line>
      </div>
      <Text>
        <span role="status">{current}</span> {others.join(' ')}
      </Text>
      {reason && <ErrorMessage error={reason} intent="warning" />}
    </li>
  );
};
