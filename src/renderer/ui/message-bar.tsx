import { MessageBar as Bar, MessageBarActions, MessageBarBody, MessageBarTitle } from '@fluentui/react-components';
import type { MessageProps } from './message.tsx';

/** Fluent's message bar, loaded when there is a message. */
export const MessageBar = ({ intent, title, action, children }: MessageProps) => (
  <Bar intent={intent}>
    <MessageBarBody>
      {title !== undefined && <MessageBarTitle>{title}</MessageBarTitle>} {children}
    </MessageBarBody>
    {action !== undefined && action !== false && <MessageBarActions>{action}</MessageBarActions>}
  </Bar>
);
