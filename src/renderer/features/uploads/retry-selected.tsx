import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArrowClockwise20Regular } from '@fluentui/react-icons';
import type { Batch } from '../../../contract/uploads.ts';
import { useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { formatCount } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  bar: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM },
  count: { fontVariantNumeric: 'tabular-nums' },
});

type RetrySelectedProps = {
  readonly batch: Batch;
  /** How many files there are to select from. */
  readonly total: number;
  readonly ids: ReadonlySet<number>;
  /** Called when they are queued again. */
  readonly onRetried: (ids: ReadonlySet<number>) => void;
};

/** Retries the selected files of an upload. */
export const RetrySelected = ({ batch, total, ids, onRetried }: RetrySelectedProps) => {
  const styles = useStyles();
  const { uploads } = useDesk();
  const retry = useAction(async () => {
    await uploads.retryFiles({ batchId: batch.batchId, ids: [...ids] });
    // Only those: others may have been selected meanwhile.
    onRetried(ids);
  });
  return (
    <div className={styles.bar}>
      <Button
        size="small"
        icon={<ArrowClockwise20Regular />}
        disabledFocusable={retry.busy || ids.size === 0 || batch.state === 'scanning'}
        onClick={() => retry.run()}
      >
        {t('uploads.action.retrySelected')}
      </Button>
      <span role="status" className={styles.count}>
        {t('uploads.files.selected', { count: ids.size, total: formatCount(total) })}
      </span>
    </div>
  );
};
