import { type ReactNode, Suspense } from 'react';
import { later } from './later.ts';

const MessageBar = later(async () => (await import('./message-bar.tsx')).MessageBar);

export type MessageProps = {
  readonly intent: 'info' | 'warning' | 'error';
  readonly title?: string | undefined;
  readonly children: ReactNode;
  /** What can be done about it: a button. */
  readonly action?: ReactNode;
};

/** Something to know, above or below what it is about. Plain words until the code that makes it look well is there. */
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
