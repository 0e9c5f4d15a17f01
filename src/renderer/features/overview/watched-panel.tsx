import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { ReviewWatched } from '../../domain/watched/review-watched.tsx';
import { watchedTexts } from '../../domain/watched/watched-words.ts';
import { useApp, useSnapshot } from '../../state/context.tsx';
import { lines } from '../../ui/lines.ts';
import { Part } from '../../ui/part.tsx';
import { StackList } from '../../ui/stack-list.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  folder: { display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: tokens.spacingHorizontalM },
  text: { flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' },
  minor: { ...lines(3), color: tokens.colorNeutralForeground3 },
});

/** The watched folders, and what they need; nothing without one. */
export const WatchedPanel = () => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const folders = useSnapshot((snapshot) => snapshot.watchedFolders);
  if (folders.length === 0) return null;
  return (
    <Part
      title={t('watched.title')}
      actions={
        <Button appearance="subtle" onClick={() => open({ name: 'watched-folders' })}>
          {t('watched.all')}
        </Button>
      }
    >
      <StackList label={t('watched.title')}>
        {folders.map((folder) => (
          <li key={folder.watchedId} className={styles.folder}>
            <div className={styles.text}>
              <Text weight="semibold" block>
                {folder.name}
              </Text>
              <Text size={200} className={styles.minor}>
                {watchedTexts(folder).join(' ')}
              </Text>
            </div>
            <ReviewWatched folder={folder} />
          </li>
        ))}
      </StackList>
    </Part>
  );
};
