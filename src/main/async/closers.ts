/** Resources to close at the end, in the reverse order of their opening. */
type Closers = {
  /** Registers `close` for `thing`, and answers `thing`. */
  readonly add: <T>(thing: T, close: (thing: T) => unknown) => T;
  /** Closes everything, then throws the first error, so that one failure does not stop the rest. */
  readonly close: () => Promise<void>;
};

export const createClosers = (): Closers => {
  const closers: (() => unknown)[] = [];
  return {
    add: (thing, close) => {
      closers.unshift(() => close(thing));
      return thing;
    },
    close: async () => {
      const failures: unknown[] = [];
      for (const close of closers.splice(0)) {
        try {
          await close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
};
