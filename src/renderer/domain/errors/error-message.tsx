import type { ErrorData } from '../../../contract/errors.ts';
import { Message } from '../../ui/message.tsx';
import type { MessageProps } from '../../ui/message-bar.tsx';
import { errorText } from '../../words/words.ts';

type ErrorMessageProps = Pick<MessageProps, 'action'> & {
  readonly error: ErrorData;
  readonly intent?: MessageProps['intent'];
};

/** What happened and what to do about it, beside what it is about. */
export const ErrorMessage = ({ error, intent = 'error', action }: ErrorMessageProps) => {
  const { title, todo } = errorText(error);
  return (
    <Message intent={intent} title={title} action={action}>
      {todo}
    </Message>
  );
};
