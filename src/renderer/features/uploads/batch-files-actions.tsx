import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { DocumentTable20Regular, FolderOpen20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import { useDesk } from '../../app/context.tsx';
import { useAction } from '../../app/use-action.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  actions: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
  saved: {
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: tokens.colorNeutralForeground3,
  },
});

/** What can be done with the files of an upload as a whole: looking at their folder, keeping a report of them. */
export const BatchFilesActions = ({ batch }: { readonly batch: string }) => {
  const styles = useStyles();
  const { uploads } = useDesk();
  const [path, setPath] = useState<string>();
  const reveal = useAction(() => uploads.reveal({ batch }));
  const save = useAction(async () => setPath((await uploads.saveReport({ batch }))?.path));
  return (
    <div className={styles.actions}>
      <Button size="small" icon={<FolderOpen20Regular />} disabledFocusable={reveal.busy} onClick={() => reveal.run()}>
        {t('uploads.action.reveal')}
      </Button>
      <Button size="small" icon={<DocumentTable20Regular />} disabledFocusable={save.busy} onClick={() => save.run()}>
        {t('uploads.action.saveReport')}
      </Button>
      <span role="status" className={styles.saved}>
        {path !== undefined && t('protocols.saved', { path })}
      </span>
    </div>
  );
};
