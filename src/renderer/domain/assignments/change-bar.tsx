import {
  Button,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  makeStyles,
  tokens,
} from '@fluentui/react-components';
import type { ErrorData } from '../../../contract/errors.ts';
import { lines } from '../../ui/lines.ts';
import { t } from '../../words/words.ts';
import { errorSentences } from '../errors/error-words.ts';

const useStyles = makeStyles({
  change: { marginTop: tokens.spacingVerticalM },
  // It is not a sentence, so the text after it begins on a new line.
  title: lines(2),
});

type ChangeBarProps = {
  /** What the change does. */
  readonly title: string;
  /** Why the service rejected it; absent while it is pending. */
  readonly error?: ErrorData | undefined;
  readonly busy: boolean;
  readonly onRetry: () => void;
  /** The label of the button that discards it. */
  readonly discard: string;
  readonly onDiscard: () => void;
};

/** A change that the service has not accepted, beside the value it concerns. */
export const ChangeBar = ({ title, error, busy, onRetry, discard, onDiscard }: ChangeBarProps) => {
  const styles = useStyles();
  return (
    <div className={styles.change} {...(error && { role: 'alert' })}>
      <MessageBar intent={error ? 'error' : 'info'} layout="multiline">
        <MessageBarBody>
          <MessageBarTitle className={styles.title}>{title}</MessageBarTitle>{' '}
          {error ? errorSentences(error) : t('assignment.change.waiting')}
        </MessageBarBody>
        <MessageBarActions>
          {error && (
            <Button size="small" disabledFocusable={busy} onClick={onRetry}>
              {t('common.tryAgain')}
            </Button>
          )}
          <Button size="small" disabledFocusable={busy} onClick={onDiscard}>
            {discard}
          </Button>
        </MessageBarActions>
      </MessageBar>
    </div>
  );
};
