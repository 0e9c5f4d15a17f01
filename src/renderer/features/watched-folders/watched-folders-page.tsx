import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { FolderAdd20Regular } from '@fluentui/react-icons';
import { Suspense } from 'react';
import type { Folder, WatchedFolder } from '../../../contract/watched-folders.ts';
import { ErrorMessage } from '../../domain/errors.tsx';
import { GoToSignIn } from '../../domain/reach.tsx';
import { useFileMenu } from '../../domain/uploads/files.tsx';
import { hoursText } from '../../domain/uploads/hours-choice.ts';
import { ReviewWatched, watchedTarget, watchedTexts } from '../../domain/watched.tsx';
import { useAction, useDesk, useSnapshot } from '../../state/context.tsx';
import { Confirm, useDialog } from '../../ui/dialogs.tsx';
import { later } from '../../ui/later.ts';
import { Empty, Page, PageBody, StackList } from '../../ui/page.tsx';
import { useCardStyles } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';
import { rulesOf } from './rules.ts';

const AddDialog = later(async () => (await import('./folder-dialogs.tsx')).AddDialog);

/** The folders whose files are uploaded automatically. */
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
        <Button
          appearance="primary"
          icon={<FolderAdd20Regular />}
          disabledFocusable={pick.busy || !isSignedIn}
          onClick={({ currentTarget }) => pick.run(currentTarget)}
        >
          {t('watched.action.add')}
        </Button>
      }
    >
      <PageBody>
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
        {adding.about && (
          <Suspense>
            <AddDialog folder={adding.about} onClose={adding.close} />
          </Suspense>
        )}
      </PageBody>
    </Page>
  );
};

const ChangeDialog = later(async () => (await import('./folder-dialogs.tsx')).ChangeDialog);

const useWatchedCardStyles = makeStyles({
  name: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

/** One watched folder: where its files go, how it is, and what can be done. */
const WatchedCard = ({ folder }: { readonly folder: WatchedFolder }) => {
  const card = useCardStyles();
  const styles = useWatchedCardStyles();
  const { watchedFolders } = useDesk();
  const menu = useFileMenu();
  const changing = useDialog<WatchedFolder>();
  const { watchedId, name, path, hours, paused, state, reason, waiting, opensAtMs } = folder;
  const change = useAction(watchedFolders.change);
  const remove = useAction(watchedFolders.remove);
  const uploadNow = useAction(watchedFolders.uploadNow);
  const canUploadNow = waiting > 0 && opensAtMs !== undefined && !paused && state === 'watching';
  const rules = [watchedTarget(folder), hoursText(hours)].filter(Boolean).join(' · ');
  const label = (action: string): string => t('watched.action.of', { action, folder: name });
  return (
    <li className={card.card} onContextMenu={menu && ((event) => menu({ watchedId }, event))}>
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
        <div className={styles.actions}>
          <ReviewWatched folder={folder} />
          {canUploadNow && (
            <Button
              size="small"
              disabledFocusable={uploadNow.busy}
              aria-label={label(t('watched.action.uploadNow'))}
              onClick={() => uploadNow.run({ watchedId })}
            >
              {t('watched.action.uploadNow')}
            </Button>
          )}
          <Button
            size="small"
            disabledFocusable={change.busy}
            aria-label={label(t(paused ? 'uploads.action.resume' : 'uploads.action.pause'))}
            onClick={() => change.run({ watchedId, rules: { ...rulesOf(folder), paused: !paused } })}
          >
            {t(paused ? 'uploads.action.resume' : 'uploads.action.pause')}
          </Button>
          <Button
            size="small"
            aria-label={label(t('watched.action.change'))}
            onClick={({ currentTarget }) => changing.open(currentTarget, folder)}
          >
            {t('watched.action.change')}
          </Button>
          <Confirm
            title={t('watched.action.removeQuestion')}
            action={t('watched.action.remove')}
            onConfirm={() => remove.run({ watchedId })}
            trigger={
              <Button size="small" disabledFocusable={remove.busy} aria-label={label(t('watched.action.remove'))}>
                {t('watched.action.remove')}
              </Button>
            }
          >
            {t('watched.action.removeExplained', { folder: name })}
          </Confirm>
        </div>
      </div>
      <Text role="status">{watchedTexts(folder).join(' ')}</Text>
      {reason && <ErrorMessage error={reason} intent="warning" />}
      {changing.about && (
        <Suspense>
          <ChangeDialog folder={folder} onClose={changing.close} />
        </Suspense>
      )}
    </li>
  );
};
