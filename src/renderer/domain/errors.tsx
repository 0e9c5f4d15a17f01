import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { Copy20Regular, ErrorCircle24Regular } from '@fluentui/react-icons';
import type { ErrorData } from '../../contract/errors.ts';
import { useApp } from '../state/store.tsx';
import { Message } from '../ui/message.tsx';
import type { MessageProps } from '../ui/message-bar.tsx';
import { stacked, wrapping } from '../ui/styles.ts';
import { errorText, t } from '../words/words.ts';
import { useCopy } from './copy.tsx';

export const errorSentences = (error: Pick<ErrorData, 'code' | 'details'>): string => {
  const { title, todo } = errorText(error);
  return `${title} ${todo}`;
};

type ErrorMessageProps = Pick<MessageProps, 'action'> & {
  readonly error: ErrorData;
  readonly intent?: MessageProps['intent'];
};

export const ErrorMessage = ({ error, intent = 'error', action }: ErrorMessageProps) => {
  const { title, todo } = errorText(error);
  return (
    <Message intent={intent} title={title} action={action}>
      {todo}
    </Message>
  );
};

const useStyles = makeStyles({
  failure: {
    ...stacked(tokens.spacingVerticalS),
    alignItems: 'center',
    padding: tokens.spacingVerticalXXXL,
  },
  icon: { color: tokens.colorStatusDangerForeground1 },
  actions: wrapping(tokens.spacingHorizontalS),
});

type FailureProps = { readonly error: ErrorData; readonly onRetry?: (() => void) | undefined };

/** Shows an error in place of content that could not be loaded. */
export const Failure = ({ error, onRetry }: FailureProps) => {
  const styles = useStyles();
  const { title, todo } = errorText(error);
  const version = useApp(({ projection }) => projection.snapshot?.version ?? t('shell.versionUnknown'));
  const { copy, said } = useCopy();
  return (
    <div className={styles.failure} role="alert">
      <ErrorCircle24Regular className={styles.icon} aria-hidden="true" />
      <Text weight="semibold" align="center">
        {title}
      </Text>
      <Text align="center">{todo}</Text>
      <div className={styles.actions}>
        {onRetry !== undefined && <Button onClick={onRetry}>{t('common.tryAgain')}</Button>}
        <Button
          appearance="subtle"
          icon={<Copy20Regular />}
          onClick={() => copy(errorReport(error, version, new Date()))}
        >
          {t('shell.copyDetails')}
        </Button>
        <span role="status">{said}</span>
      </div>
    </div>
  );
};

/**
 * Returns `error` as text for a support request: its code, message and details, with the version of the app and the
 * time.
 */
const errorReport = (error: ErrorData, version: string, at: Date): string =>
  [
    `Inspection Desk ${version}, ${at.toISOString()}`,
    `${error.code}: ${error.message}`,
    ...Object.entries(error.details).map(([name, value]) => `${name}: ${value}`),
  ].join('\n');

/**
 * Shows an error above content that is still available. Shows nothing if the session has ended or a sign-in is
 * required, because the window already reports that.
 */
export const FailureBar = ({ error, onRetry }: { readonly error: ErrorData; readonly onRetry: () => void }) => {
  if (error.code === 'auth/expired' || error.code === 'auth/required') return null;
  const retry = (
    <Button size="small" onClick={onRetry}>
      {t('common.tryAgain')}
    </Button>
  );
  return <ErrorMessage error={error} action={retry} />;
};
