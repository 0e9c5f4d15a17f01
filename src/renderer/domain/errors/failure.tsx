import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { ErrorCircle24Regular } from '@fluentui/react-icons';
import type { ErrorData } from '../../../contract/errors.ts';
import { errorText, t } from '../../words/words.ts';
import { CopyDetails } from './copy-details.tsx';

const useStyles = makeStyles({
  failure: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    gap: tokens.spacingVerticalS,
    padding: tokens.spacingVerticalXXXL,
    textAlign: 'center',
  },
  icon: { color: tokens.colorStatusDangerForeground1 },
  actions: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

type FailureProps = { readonly error: ErrorData; readonly onRetry?: (() => void) | undefined };

/** What went wrong, in place of what could not be shown. */
export const Failure = ({ error, onRetry }: FailureProps) => {
  const styles = useStyles();
  const { title, todo } = errorText(error);
  return (
    <div className={styles.failure} role="alert">
      <ErrorCircle24Regular className={styles.icon} aria-hidden="true" />
      <Text weight="semibold">{title}</Text>
      <Text>{todo}</Text>
      <div className={styles.actions}>
        {onRetry !== undefined && <Button onClick={onRetry}>{t('common.tryAgain')}</Button>}
        <CopyDetails error={error} />
      </div>
    </div>
  );
};
