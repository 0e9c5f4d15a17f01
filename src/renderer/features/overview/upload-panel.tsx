import { Button, Text } from '@fluentui/react-components';
import { hasEnded } from '../../../contract/uploads.ts';
import { UploadCard } from '../../domain/uploads/upload-card.tsx';
import { groupUploads, type Upload } from '../../domain/uploads/whole-upload.ts';
import { useApp, useSnapshot } from '../../state/context.tsx';
import { Part } from '../../ui/part.tsx';
import { StackList } from '../../ui/stack-list.tsx';
import { t } from '../../words/words.ts';

const shown = 4;

/** Whether the upload is in progress, waits for a person, or has failed files. */
const needsAttention = ({ whole }: Upload): boolean =>
  !hasEnded(whole) || (whole.state === 'finished' && whole.failed + (whole.notReplaced ?? 0) > 0);

/** The uploads that need attention. */
export const UploadPanel = () => {
  const open = useApp((state) => state.open);
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const watched = groupUploads(batches).filter(needsAttention);
  return (
    <Part
      title={t('overview.uploads')}
      actions={
        <Button appearance="subtle" onClick={() => open({ name: 'uploads' })}>
          {t('overview.allUploads')}
        </Button>
      }
    >
      {watched.length === 0 ? (
        <Text>{batches.length === 0 ? t('uploads.emptyHint') : t('overview.noUploads')}</Text>
      ) : (
        <StackList label={t('overview.uploads')}>
          {watched.slice(0, shown).map((upload) => (
            <UploadCard key={upload.uploadId} upload={upload} />
          ))}
        </StackList>
      )}
    </Part>
  );
};
