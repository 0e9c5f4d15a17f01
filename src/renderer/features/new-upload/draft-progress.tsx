import { Button, makeStyles, ProgressBar, Spinner, Text, tokens } from '@fluentui/react-components';
import type { Draft, DraftPhase } from '../../../contract/drafts.ts';
import { ErrorMessage } from '../../domain/errors/error-message.tsx';
import { useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { formatCount } from '../../words/amounts.ts';
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

const detailOf = ({ phase, files, folders, assignments }: Draft): string =>
  phase === 'updating'
    ? t('newUpload.progress.updated', {
        read: assignments.read,
        total: assignments.total,
        known: t('count.assignment', { count: assignments.known }),
      })
    : t('newUpload.progress.found', {
        files: t('count.file', { count: files }),
        folders: t('count.folder', { count: folders }),
      });

const progressOf = ({ phase, assignments: { read, total } }: Draft): { readonly value?: number } =>
  phase === 'updating' && total > 0 ? { value: read / total } : {};

const title = (phase: Exclude<DraftPhase, 'ready'>): string => t(`newUpload.progress.${phase}`);

/** What the draft still waits for, or why a part of it could not be done. */
export const DraftProgress = ({ draft }: { readonly draft: Draft }) => {
  const styles = useStyles();
  const { drafts } = useDesk();
  const skip = useAction(() => drafts.skipUpdate());
  const { phase, reason } = draft;
  if (phase === 'ready')
    return reason === undefined ? null : (
      <div className={styles.progress}>
        <ErrorMessage error={reason} />
      </div>
    );
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
