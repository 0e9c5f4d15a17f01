/** A connection pool that can be replaced: after the machine slept, idle connections may be dead. */
import type { Agent, Dispatcher } from 'undici';

type RenewableAgent = {
  /** Stays the same object when the pool is replaced. */
  readonly dispatcher: Dispatcher;
  /** Replaces the pool. Requests in progress finish on the old one. */
  readonly renew: () => void;
  /** Aborts all requests and closes every socket. */
  readonly destroy: () => Promise<void>;
};

/** `create` makes each pool, the first one immediately. */
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
