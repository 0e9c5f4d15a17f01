import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import type { Batch } from '../../../contract/uploads.ts';
import { useAction, useDesk } from '../../state/context.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  line: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
});

type AddedLaterProps = {
  /** A batch, or (`upload`) all of an upload together. */
  readonly batch: Batch;
  readonly upload?: string;
};

/** How many files were added to the folder after the review, and a button that uploads them, too. Nothing if there are none. */
export const AddedLater = ({ batch, upload }: AddedLaterProps) => {
  const styles = useStyles();
  const { uploads } = useDesk();
  const add = useAction(async () => {
    if (upload === undefined) await uploads.addLater({ batchId: batch.batchId });
    else await uploads.addAllLater({ uploadId: upload });
  });
  const count = batch.leftOut.later ?? 0;
  if (count === 0 || batch.state === 'cancelled') return null;
  return (
    <div className={styles.line} role="status">
      <Text>{t('uploads.later', { count })}</Text>
      <Button size="small" disabledFocusable={add.busy} onClick={add.run}>
        {t('uploads.action.addLater')}
      </Button>
    </div>
  );
};
