/** What the tables of the cache share: the rows of a connection, and reading and changing many of them in slices. */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';

// The numbers of connections in the cache's tables.

export type ConnectionRows = {
  readonly no: (key: string) => number;
  /** The current, or last, pass of the offline walk. */
  readonly pass: (key: string) => number;
  readonly setPass: (key: string, pass: number) => void;
};

/** The row numbers that belong to a connection: `first` to `last`. */
export const rowsOf = (no: number): { readonly first: number; readonly last: number } => ({
  first: no * 2 ** 32,
  last: (no + 1) * 2 ** 32 - 1,
});

/** The connections in `db`. A new key is added when it is first used. */
export const createConnectionRows = (db: DatabaseSync): ConnectionRows => {
  const add = db.prepare('INSERT INTO connection (key) VALUES (?) ON CONFLICT DO NOTHING');
  const get = db.prepare('SELECT no, pass FROM connection WHERE key = ?');
  const setPass = db.prepare('UPDATE connection SET pass = ? WHERE key = ?');
  const row = (key: string) => {
    const known = get.get(key);
    if (known) return known;
    add.run(key);
    return get.get(key) ?? {};
  };
  return {
    no: (key) => Number(row(key).no),
    pass: (key) => Number(row(key).pass),
    setPass: (key, pass) => {
      row(key);
      setPass.run(pass, key);
    },
  };
};

// Long reads and writes in slices, so that other work of this process can run in between.

/** A write that can be interrupted at each `yield`. What was written before stays. */
export type Steps = Generator<void, void>;

type Slicer = {
  /**
   * Runs the steps of a write after those of earlier calls, each slice in its own transaction. Resolves early if
   * `abandon` is called. Errors: those of the steps.
   */
  readonly run: (steps: Steps) => Promise<void>;
  /**
   * Runs one slice of `steps` after the writes of earlier calls and drops the others, so that later writes do not wait for
   * all of them. Resolves with whether they have ended, or were abandoned. Errors: those of the steps.
   */
  readonly slice: (steps: Steps, lengthMs: number) => Promise<boolean>;
  /** Drops all current and waiting writes, which would write again what has just been removed. */
  readonly abandon: () => void;
};

/** Runs the steps of a read, one in each turn of the event loop, through `one`; resolves with their result. */
export const inTurns = async <T>(
  steps: Generator<void, T>,
  one: (step: () => IteratorResult<void, T>) => IteratorResult<void, T>,
): Promise<T> => {
  for (;;) {
    const step = one(() => steps.next());
    if (step.done) return step.value;
    await setImmediate();
  }
};

/** The length of a slice, without its commit. */
const SLICE_MS = 10;

/** `together` runs a slice in one transaction. */
export const createSlicer = (together: (work: () => void) => void, now = () => performance.now()): Slicer => {
  const waiting: (() => void)[] = [];
  let isBusy = false;
  let era = 0;

  const take = (steps: Steps, lengthMs: number): boolean => {
    let isDone = false;
    together(() => {
      const beganMs = now();
      do isDone = steps.next().done === true;
      while (!isDone && now() - beganMs < lengthMs);
    });
    return isDone;
  };

  /** `write` gets whether it was abandoned meanwhile. */
  const inTurn = async <T>(write: (isAbandoned: () => boolean) => Promise<T> | T): Promise<T> => {
    const begun = era;
    if (isBusy) await new Promise<void>((resolve) => waiting.push(resolve));
    isBusy = true;
    try {
      return await write(() => begun !== era);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else isBusy = false;
    }
  };

  return {
    run: (steps) =>
      inTurn(async (isAbandoned) => {
        while (!isAbandoned() && !take(steps, SLICE_MS)) await setImmediate();
      }),
    slice: (steps, lengthMs) => inTurn((isAbandoned) => isAbandoned() || take(steps, lengthMs)),
    abandon: () => {
      era += 1;
    },
  };
};
