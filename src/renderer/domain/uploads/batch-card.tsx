import { Link, makeStyles, Text, tokens } from '@fluentui/react-components';
import type { Batch } from '../../../contract/batches.ts';
import { useApp } from '../../state/context.tsx';
import { lines } from '../../ui/lines.ts';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { BatchActions } from './batch-actions.tsx';
import { BatchProgress } from './batch-progress.tsx';
import { folderName, targetName } from './batch-words.ts';

const useStyles = makeStyles({
  card: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL}`,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
  },
  header: {
    display: 'flex',
    alignItems: 'center',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalM,
  },
  minor: { ...lines(2), color: tokens.colorNeutralForeground3 },
  title: { flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' },
  name: { fontWeight: tokens.fontWeightSemibold },
});

/** One upload in the list of uploads. */
export const BatchCard = ({ batch }: { readonly batch: Batch }) => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const assignment = useApp((state) => state.assignments[batch.AssignmentId]);
  const target = targetName(batch, assignment);
  return (
    <li className={styles.card}>
      <div className={styles.header}>
        <div className={styles.title}>
          <Link as="button" className={styles.name} onClick={() => open({ name: 'batch', batch: batch.batchId })}>
            {folderName(batch.root)}
          </Link>
          <Text size={200} className={styles.minor} title={target}>
            {t('uploads.to', { assignment: target })} · {t('uploads.started', { at: formatMoment(batch.createdAtMs) })}
          </Text>
        </div>
        <BatchActions batch={batch} />
      </div>
      <BatchProgress batch={batch} />
    </li>
  );
};
