/** Wakes everyone who waits for a change. */
export type Condition = {
  readonly notifyAll: () => void;
  /** Resolves at the next `notifyAll`. */
  readonly wait: () => Promise<void>;
};

/** A condition without waiters. */
export const createCondition = (): Condition => {
  let next = Promise.withResolvers<void>();
  return {
    notifyAll: () => {
      next.resolve();
      next = Promise.withResolvers<void>();
    },
    wait: () => next.promise,
  };
};
