import { Button } from '@fluentui/react-components';
import type { ErrorData } from '../../../contract/errors.ts';
import { Message } from '../../ui/message.tsx';
import { errorText } from '../../words/words.ts';

export type FailureBarProps = {
  readonly error: ErrorData;
  /** The button that tries again. */
  readonly action: string;
  readonly onAction: () => void;
};

/** What went wrong, above or below what could be shown all the same. Of a session that has ended the window tells once. */
export const FailureBar = ({ error, action, onAction }: FailureBarProps) => {
  if (error.code === 'auth/expired' || error.code === 'auth/required') return null;
  const { title, todo } = errorText(error);
  return (
    <Message
      intent="error"
      title={title}
      action={
        <Button size="small" onClick={onAction}>
          {action}
        </Button>
      }
    >
      {todo}
    </Message>
  );
};
