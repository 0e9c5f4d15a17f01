/** What has to be closed at the end, in the reverse order of its opening. */
export type Closers = {
  /** `thing`, which `close` closes. */
  readonly add: <T>(thing: T, close: (thing: T) => unknown) => T;
  /** Closes all, and then throws the first error: what cannot be closed does not keep the rest from it. */
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
