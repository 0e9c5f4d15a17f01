import { Suspense } from 'react';
import { later } from './later.ts';
import type { MessageProps } from './message-bar.tsx';

const MessageBar = later(async () => (await import('./message-bar.tsx')).MessageBar);

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
