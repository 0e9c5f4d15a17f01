import { lazily } from './lazy.tsx';
import type { MessageProps } from './message-bar.tsx';

const PlainMessage = ({ title, children, action }: MessageProps) => (
  <div>
    {title} {children} {action}
  </div>
);

/** A message in a page or a dialog. It is plain text until the code of `MessageBar` is loaded. */
export const Message = lazily(async () => (await import('./message-bar.tsx')).MessageBar, PlainMessage);
