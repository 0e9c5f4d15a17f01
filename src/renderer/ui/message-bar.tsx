import {
  MessageBar as Bar,
  MessageBarActions,
  MessageBarBody,
  type MessageBarProps,
  MessageBarTitle,
} from '@fluentui/react-components';
import type { ReactNode } from 'react';

export type MessageProps = {
  readonly intent: 'info' | 'success' | 'warning' | 'error';
  readonly title?: ReactNode;
  /** The place of the buttons. `auto`: beside the text if there is room; the container needs a fixed width. */
  readonly layout?: MessageBarProps['layout'];
  readonly children: ReactNode;
  readonly action?: ReactNode;
};

/** Fluent's message bar. `Message` loads this module on demand. */
export const MessageBar = ({ intent, title, layout = 'auto', action, children }: MessageProps) => (
  <Bar intent={intent} layout={layout}>
    <MessageBarBody>
      {title !== undefined && <MessageBarTitle>{title}</MessageBarTitle>} {children}
    </MessageBarBody>
    {action !== undefined && action !== false && <MessageBarActions>{action}</MessageBarActions>}
  </Bar>
);
