/** Tells whoever waits that something has changed, however many they are and however often it does. */
export type Condition = {
  readonly notifyAll: () => void;
  /** Resolves at the next `notifyAll`. */
  readonly wait: () => Promise<void>;
};

/** A condition that nobody waits for. */
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
