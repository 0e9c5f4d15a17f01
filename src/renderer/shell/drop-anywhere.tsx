import { makeStyles, Spinner, Text, tokens } from '@fluentui/react-components';
import type { RefObject } from 'react';
import { useAction, useApp, useDesk } from '../state/context.tsx';
import { useDropZone } from '../ui/hooks.ts';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  over: {
    position: 'absolute',
    inset: tokens.spacingHorizontalS,
    zIndex: 3,
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    border: `2px dashed ${tokens.colorCompoundBrandStroke}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorBrandBackground2,
    // The page below gets the events.
    pointerEvents: 'none',
  },
});

/** Takes folders and files that are dropped on any page: they begin a new upload, on an assignment's page to that one. */
export const DropAnywhere = ({ main }: { readonly main: RefObject<HTMLElement | null> }) => {
  const styles = useStyles();
  const desk = useDesk();
  const give = useApp((state) => state.give);
  const place = useApp(({ history }) => history.place);
  // That page takes them itself.
  const isOwn = place.name === 'files';
  const AssignmentId = place.name === 'assignment' ? place.AssignmentId : undefined;
  const take = useAction(async (files: readonly File[]) =>
    give({
      folders: await desk.adoptDropped(files),
      here: place.name === 'new-upload',
      AssignmentId,
    }),
  );
  const over = useDropZone(main, isOwn ? undefined : take.run);
  if (take.busy) {
    return (
      <div className={styles.over}>
        <Spinner label={t('newUpload.choose.taking')} />
      </div>
    );
  }
  if (!over || isOwn) return null;
  return (
    <div className={styles.over}>
      <Text size={500} weight="semibold">
        {t('newUpload.drop.here')}
      </Text>
      <Text>{AssignmentId !== undefined ? t('newUpload.drop.toThis') : t('newUpload.drop.matched')}</Text>
    </div>
  );
};
