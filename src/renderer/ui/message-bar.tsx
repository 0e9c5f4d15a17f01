import { MessageBar as Bar, MessageBarActions, MessageBarBody, MessageBarTitle } from '@fluentui/react-components';
import type { ReactNode } from 'react';

export type MessageProps = {
  readonly intent: 'info' | 'success' | 'warning' | 'error';
  readonly title?: string | undefined;
  readonly children: ReactNode;
  readonly action?: ReactNode;
};

/** Fluent's message bar. `Message` loads this module on demand. */
export const MessageBar = ({ intent, title, action, children }: MessageProps) => (
  <Bar intent={intent}>
    <MessageBarBody>
      {title !== undefined && <MessageBarTitle>{title}</MessageBarTitle>} {children}
    </MessageBarBody>
    {action !== undefined && action !== false && <MessageBarActions>{action}</MessageBarActions>}
  </Bar>
);
