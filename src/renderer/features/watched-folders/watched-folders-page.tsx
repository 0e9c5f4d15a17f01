import { Button } from '@fluentui/react-components';
import { FolderAdd20Regular } from '@fluentui/react-icons';
import { Suspense } from 'react';
import type { Folder } from '../../../contract/watched-folders.ts';
import { GoToSignIn } from '../../domain/connection/go-to-sign-in.tsx';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { Empty } from '../../ui/empty.tsx';
import { later } from '../../ui/later.ts';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { StackList } from '../../ui/stack-list.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { t } from '../../words/words.ts';
import { WatchedCard } from './watched-card.tsx';

const AddDialog = later(async () => (await import('./add-dialog.tsx')).AddDialog);

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
