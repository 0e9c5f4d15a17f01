import { Button, makeStyles, ProgressBar, tokens } from '@fluentui/react-components';
import { ArrowUpload20Regular } from '@fluentui/react-icons';
import { uploadTrouble } from '../../contract/connection.ts';
import { isActive } from '../../contract/uploads.ts';
import { progressOf } from '../domain/uploads/batch-words.ts';
import { useApp, useSnapshot } from '../state/context.tsx';
import { narrow, stacked, unseen } from '../ui/styles.ts';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  content: {
    ...stacked(tokens.spacingVerticalXXS),
    minWidth: '112px',
    [narrow]: { minWidth: '32px' },
  },
  label: {
    whiteSpace: 'nowrap',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    [narrow]: unseen,
  },
});

/** The progress of all uploads, a link to them. Nothing if none is in progress. */
export const UploadIndicator = () => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const reachability = useSnapshot((snapshot) => snapshot.reachability);
  const active = batches.filter(isActive);
  if (active.length === 0) return null;
  return (
    <Button appearance="subtle" icon={<ArrowUpload20Regular />} onClick={() => open({ name: 'uploads' })}>
      <span className={styles.content}>
        <span className={styles.label}>
          {t(uploadTrouble(reachability) ? 'shell.uploadsWaiting' : 'shell.uploading', {
            count: new Set(active.map(({ uploadId }) => uploadId)).size,
          })}
        </span>
        <ProgressBar aria-hidden="true" {...progressOf(...active)} />
      </span>
    </Button>
  );
};
