import { type ReactNode, Suspense } from 'react';
import { later } from './later.ts';

const MessageBar = later(async () => (await import('./message-bar.tsx')).MessageBar);

export type MessageProps = {
  readonly intent: 'info' | 'warning' | 'error';
  readonly title?: string | undefined;
  readonly children: ReactNode;
  /** A button that does something about it. */
  readonly action?: ReactNode;
};

/** Something to know, above or below what it is about. Plain text until its code is loaded. */
export const Message = (props: MessageProps) => (
  <Suspense
    fallback={
      <div>
        {props.title} {props.children} {props.action}
      </div>
    }
  >
    <MessageBar {...props} />
  </Suspense>
);
