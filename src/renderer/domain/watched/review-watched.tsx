import { Button } from '@fluentui/react-components';
import type { WatchedFolder } from '../../../contract/watched-folders.ts';
import { useApp, useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { t } from '../../words/words.ts';

/** Takes the files that wait for an assignment to a new upload; nothing if there are none. */
export const ReviewWatched = ({ folder }: { readonly folder: WatchedFolder }) => {
  const { watchedFolders } = useDesk();
  const give = useApp((state) => state.give);
  const review = useAction(async () => {
    const folders = await watchedFolders.toMatch({ watchedId: folder.watchedId });
    if (folders.length > 0) give({ folders });
  });
  if (folder.toMatch.files === 0) return null;
  return (
    <Button
      appearance="primary"
      size="small"
      disabledFocusable={review.busy}
      aria-label={t('watched.action.reviewOf', { folder: folder.name })}
      onClick={() => review.run()}
    >
      {t('watched.action.review')}
    </Button>
  );
};
