/** Says to whoever waits that something happened, however many they are and however often it does. */
export type Bell = {
  readonly ring: () => void;
  /** Resolves when it rings next. */
  readonly next: () => Promise<void>;
};

export const createBell = (): Bell => {
  let ringing = Promise.withResolvers<void>();
  return {
    ring: () => {
      ringing.resolve();
      ringing = Promise.withResolvers<void>();
    },
    next: () => ringing.promise,
  };
};
