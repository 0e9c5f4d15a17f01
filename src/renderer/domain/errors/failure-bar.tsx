import { Button } from '@fluentui/react-components';
import type { ErrorData } from '../../../contract/errors.ts';
import { t } from '../../words/words.ts';
import { ErrorMessage } from './error-message.tsx';

type FailureBarProps = { readonly error: ErrorData; readonly onRetry: () => void };

/**
 * What went wrong, beside what could still be shown. Nothing for a session that has ended: the window already says so.
 */
export const FailureBar = ({ error, onRetry }: FailureBarProps) => {
  if (error.code === 'auth/expired' || error.code === 'auth/required') return null;
  const retry = (
    <Button size="small" onClick={onRetry}>
      {t('common.tryAgain')}
    </Button>
  );
  return <ErrorMessage error={error} action={retry} />;
};
