import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { DocumentTable20Regular, FolderOpen20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { Batch } from '../../../contract/batches.ts';
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
  saved: {
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: tokens.colorNeutralForeground3,
  },
});

/** Actions on all files of an upload: open their folder, save a report, verify them. */
export const BatchFilesActions = ({ batch: whole }: { readonly batch: Batch }) => {
  const styles = useStyles();
  const { batchId } = whole;
  const { uploads } = useDesk();
  const [path, setPath] = useState<string>();
  const reveal = useAction(() => uploads.reveal({ batchId }));
  const save = useAction(async () => setPath((await uploads.saveReport({ batchId }))?.path));
  return (
    <div className={styles.actions}>
      <Button size="small" icon={<FolderOpen20Regular />} disabledFocusable={reveal.busy} onClick={() => reveal.run()}>
        {t('uploads.action.reveal')}
      </Button>
      <Button size="small" icon={<DocumentTable20Regular />} disabledFocusable={save.busy} onClick={() => save.run()}>
        {t('uploads.action.saveReport')}
      </Button>
      <VerifyFiles batch={whole} />
      <RemoveFiles batch={whole} />
      <span role="status" className={styles.saved} title={path}>
        {path !== undefined && t('protocols.saved', { path })}
      </span>
    </div>
  );
};
