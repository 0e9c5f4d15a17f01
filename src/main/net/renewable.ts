/** A pool of connections that can be left for a new one: after a sleep, idle connections may be dead. */
import type { Agent, Dispatcher } from 'undici';

export type RenewableAgent = {
  /** Stays the same one for whoever was given it. */
  readonly dispatcher: Dispatcher;
  /** Begins with new connections. What is under way comes to its end on the old ones. */
  readonly renew: () => void;
  /** Breaks off what is still under way and closes every socket. */
  readonly destroy: () => Promise<void>;
};

/** `create` makes each pool of connections, the first one now. */
export const createRenewableAgent = (create: () => Agent): RenewableAgent => {
  let present = create();
  const all = new Set([present]);
  const toPresent = (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean =>
    present.dispatch(options, handler);
  return {
    dispatcher: present.compose(() => toPresent),
    renew: () => {
      const before = present;
      present = create();
      all.add(present);
      before.close().then(
        () => all.delete(before),
        () => {},
      );
    },
    destroy: async () => {
      await Promise.all([...all].map((agent) => agent.destroy()));
    },
  };
};
