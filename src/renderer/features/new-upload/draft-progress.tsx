import { Button, makeStyles, ProgressBar, Spinner, Text, tokens } from '@fluentui/react-components';
import type { Draft, DraftPhase } from '../../../contract/drafts.ts';
import { ErrorMessage } from '../../domain/errors/error-message.tsx';
import { useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { formatCount, formatLeft } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  progress: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    padding: `0 ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalM}`,
  },
  line: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  text: { display: 'flex', flexDirection: 'column', flex: '1 1 240px' },
  minor: { color: tokens.colorNeutralForeground3 },
});

/** How far the reading of lists is, and how long the rest probably takes. */
const readingText = ({ assignments: { stage, read, total, leftMs, known } }: Draft): string => {
  const text =
    stage === 'protocols'
      ? total === 0
        ? t('newUpload.progress.listing')
        : t('newUpload.progress.listed', { read, total })
      : t('newUpload.progress.updated', { read, total, count: known });
  return leftMs === undefined ? text : `${text} ${t('newUpload.progress.left', { duration: formatLeft(leftMs) })}`;
};

const detailOf = (draft: Draft): string =>
  draft.phase === 'updating'
    ? readingText(draft)
    : t('newUpload.progress.found', {
        files: t('count.file', { count: draft.files }),
        folders: t('count.folder', { count: draft.folders }),
      });

const progressOf = ({ phase, assignments: { read, total } }: Draft): { readonly value?: number } =>
  phase === 'updating' && total > 0 ? { value: Math.min(1, read / total) } : {};

/** After the draft can be reviewed: that folders may still become certain, or why the lists could not be read. */
const Rest = ({ draft }: { readonly draft: Draft }) => {
  const styles = useStyles();
  const { reason, counts, AssignmentId, assignments } = draft;
  const isWorthIt = assignments.isReading && AssignmentId === undefined && counts.undecided > 0;
  if (reason === undefined && !isWorthIt) return null;
  return (
    <div className={styles.progress}>
      {reason && <ErrorMessage error={reason} />}
      {isWorthIt && (
        <div className={styles.line}>
          <Spinner size="tiny" aria-hidden="true" />
          <Text size={200} className={styles.minor}>
            {`${readingText(draft)} ${t('newUpload.progress.rest')}`}
          </Text>
        </div>
      )}
    </div>
  );
};

const title = (phase: Exclude<DraftPhase, 'ready'>): string => t(`newUpload.progress.${phase}`);

/** What the draft still waits for, or why a part of it could not be done. */
export const DraftProgress = ({ draft }: { readonly draft: Draft }) => {
  const styles = useStyles();
  const { drafts } = useDesk();
  const skip = useAction(() => drafts.skipUpdate());
  const { phase } = draft;
  if (phase === 'ready') return <Rest draft={draft} />;
  return (
    <div className={styles.progress}>
      <div className={styles.line}>
        <Spinner size="tiny" aria-hidden="true" />
        <div className={styles.text}>
          <Text weight="semibold" role="status">
            {title(phase)}
          </Text>
          <Text size={200} className={styles.minor}>
            {detailOf(draft)}
          </Text>
        </div>
        {phase === 'updating' && (
          <Button disabledFocusable={skip.busy} onClick={skip.run}>
            {t('newUpload.progress.skip')}
          </Button>
        )}
      </div>
      <ProgressBar {...progressOf(draft)} aria-label={`${title(phase)} ${formatCount(draft.files)}`} />
    </div>
  );
};
