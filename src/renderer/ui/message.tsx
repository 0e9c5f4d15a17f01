import { lazily } from './lazy.tsx';
import type { MessageProps } from './message-bar.tsx';

const PlainMessage = ({ title, children, action }: MessageProps) => (
  <div>
    {title} {children} {action}
  </div>
);

/** A message next to its subject. Plain text until its code is loaded. */
export const Message = lazily(async () => (await import('./message-bar.tsx')).MessageBar, PlainMessage);
