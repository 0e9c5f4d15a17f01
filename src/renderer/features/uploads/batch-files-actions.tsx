import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { FolderOpen20Regular } from '@fluentui/react-icons';
import type { Batch } from '../../../contract/uploads.ts';
import { SaveReceipt } from '../../domain/uploads/save-receipt.tsx';
import { useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { t } from '../../words/words.ts';
import { RemoveFiles } from './remove-files.tsx';
import { VerifyFiles } from './verify-files.tsx';

const useStyles = makeStyles({
  actions: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    // A long path shrinks, not the buttons.
    '& > button': { flexShrink: 0 },
  },
});

/** Actions on all files of an upload: open their folder, verify them, save a receipt. */
export const BatchFilesActions = ({ batch }: { readonly batch: Batch }) => {
  const styles = useStyles();
  const { uploads } = useDesk();
  const reveal = useAction(() => uploads.reveal({ batchId: batch.batchId }));
  return (
    <div className={styles.actions}>
      <Button size="small" icon={<FolderOpen20Regular />} disabledFocusable={reveal.busy} onClick={() => reveal.run()}>
        {t('uploads.action.reveal')}
      </Button>
      <VerifyFiles batch={batch} />
      <RemoveFiles batch={batch} />
      <SaveReceipt batches={[batch]} />
    </div>
  );
};
