/**
 * Virtual time: a queue of all future events, in an order that the seed determines. Timers, and all work outside of the
 * engine, are events of the queue. So hours pass in milliseconds, and a history is the same each time. The events of a
 * killed process are dropped.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The maximum number of events: ten times as many as the longest histories have. A history that never ends would take
 * minutes.
 */
const MOST_EVENTS = 40_000;

/** A process of the app, or a thread of the process `of`. Once it is dead, none of its events happens. */
export type Process = {
  isDead: boolean;
  readonly of?: Process;
  /** The number of its computer, if there are several. */
  readonly computer?: number;
  /** The variable of the module `async/clock.ts` in this process. */
  startMs?: number;
  /** The virtual time at which the process was started (`now`). */
  bornMs?: number;
};

export const hasEnded = (process: Process | undefined): boolean =>
  process !== undefined && (process.isDead || hasEnded(process.of));

type Event = {
  readonly atMs: number;
  readonly number: number;
  readonly process: Process | undefined;
  readonly run: () => void;
  isOver: boolean;
};

/** The wall clock at the start of a history, in ms since 1970 (2023-11-14). */
const FIRST_MS = 1_700_000_000_000;

export type VirtualTime = ReturnType<typeof createVirtualTime>;

const processes = new AsyncLocalStorage<Process | undefined>();
const runSoon = globalThis.setImmediate;
/** Resolves when no promise can continue without an event. */
const allAtRest = (): Promise<void> => new Promise((resolve) => void runSoon(resolve));

let present: VirtualTime | undefined;

const nobody: Process = { isDead: false };
export const running = (): Process => processes.getStore() ?? nobody;

export const virtualTime = (): VirtualTime => {
  if (present === undefined) throw new Error('no history runs');
  return present;
};

const createVirtualTime = () => {
  /** A binary heap: each event comes before the two below it. */
  const events: Event[] = [];
  let nowMs = 0;
  let wallMs = FIRST_MS;
  let number = 0;

  const isBefore = (one: Event, other: Event): boolean =>
    one.atMs < other.atMs || (one.atMs === other.atMs && one.number < other.number);
  const swap = (one: number, other: number): void => {
    const kept = events[one] as Event;
    events[one] = events[other] as Event;
    events[other] = kept;
  };
  const add = (event: Event): void => {
    let at = events.push(event) - 1;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(event, events[above] as Event); above = (at - 1) >> 1) {
      swap(at, above);
      at = above;
    }
  };
  const take = (): Event | undefined => {
    const [first] = events;
    const last = events.pop();
    if (first === undefined || last === undefined || events.length === 0) return first;
    events[0] = last;
    for (let at = 0; ; ) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < events.length && isBefore(events[below] as Event, events[least] as Event)) least = below;
      if (least === at) return first;
      swap(at, least);
      at = least;
    }
  };

  /** Calls `run` after `ms`, unless the calling process is dead by then. */
  const after = (ms: number, run: () => void): Event => {
    number += 1;
    const event = { atMs: nowMs + Math.max(0, ms), number, process: processes.getStore(), run, isOver: false };
    add(event);
    return event;
  };

  return {
    now: (): number => nowMs,
    /** Returns the wall clock in ms since 1970, which `setWall` changes. */
    wallNow: (): number => wallMs + nowMs,
    setWall: (byMs: number): void => {
      wallMs += byMs;
    },
    after,
    sleep: (ms: number): Promise<void> => new Promise((resolve) => void after(ms, resolve)),
    /** Calls `work` after `ms`. Resolves to its result. */
    later: <T>(ms: number, work: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        after(ms, () => {
          try {
            resolve(work());
          } catch (error) {
            reject(error);
          }
        });
      }),
    inside: <T>(process: Process, work: () => T): T => processes.run(process, work),
    outside: <T>(work: () => T): T => processes.run(undefined, work),
    process: (): Process | undefined => processes.getStore(),
    /** Makes events happen until `end` is settled. Rejects if that takes more than `mostMs` or `mostEvents`. */
    until: async <T>(end: Promise<T>, mostMs: number, mostEvents = MOST_EVENTS): Promise<T> => {
      let isSettled = false;
      const settle = (): void => {
        isSettled = true;
      };
      end.then(settle, settle);
      const endsAtMs = nowMs + mostMs;
      for (let left = mostEvents; ; left -= 1) {
        await allAtRest();
        if (isSettled) return end;
        const event = take();
        if (event === undefined) throw new Error('nothing is left to happen');
        if (event.atMs > endsAtMs || left === 0) throw new Error('it does not come to an end');
        if (event.isOver || hasEnded(event.process)) continue;
        nowMs = Math.max(nowMs, event.atMs);
        event.isOver = true;
        processes.run(event.process, event.run);
      }
    },
  };
};

/** Runs `history` in a new virtual time. */
export const inVirtualTime = async <T>(history: (time: VirtualTime) => Promise<T>): Promise<T> => {
  present = createVirtualTime();
  delete nobody.startMs;
  try {
    return await history(present);
  } finally {
    present = undefined;
  }
};

// Replacements of the program's timers and clocks, which use virtual time while a history runs.

class Timer {
  #event: Event | undefined;
  readonly #ms: number;
  readonly #run: () => void;
  readonly #isRepeated: boolean;
  constructor(ms: number, run: () => void, isRepeated: boolean) {
    [this.#ms, this.#run, this.#isRepeated] = [ms, run, isRepeated];
    this.refresh();
  }
  refresh(): this {
    this.close();
    this.#event = virtualTime().after(this.#ms, () => {
      if (this.#isRepeated) this.refresh();
      this.#run();
    });
    return this;
  }
  close(): this {
    if (this.#event) this.#event.isOver = true;
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

const timeoutSignal = (ms: number): AbortSignal => {
  const controller = new AbortController();
  virtualTime().after(ms, () => controller.abort(new DOMException('The operation timed out', 'TimeoutError')));
  return controller.signal;
};

/** The controllers that are aborted together with a signal. */
const dependents = new WeakMap<AbortSignal, Set<AbortController>>();

/**
 * Replaces `AbortSignal.any`, whose signals would never be freed after a killed process has listened to them. Each
 * signal has one listener for all signals that depend on it, because adding a listener compares it with every earlier
 * one.
 */
const anySignal = (signals: readonly AbortSignal[]): AbortSignal => {
  const controller = new AbortController();
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted) controller.abort(aborted.reason);
  else for (const signal of signals) dependentsOf(signal).add(controller);
  return controller.signal;
};

const dependentsOf = (signal: AbortSignal): Set<AbortController> => {
  const found = dependents.get(signal);
  if (found) return found;
  const added = new Set<AbortController>();
  dependents.set(signal, added);
  signal.addEventListener('abort', () => added.forEach((one) => void one.abort(signal.reason)), { once: true });
  return added;
};

export const replaceClocks = (): void => {
  const [realNow, realDate] = [performance.now.bind(performance), Date.now];
  const timer =
    (isRepeated: boolean) =>
    (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): Timer =>
      new Timer(Math.max(1, ms), () => run(...args), isRepeated);
  const stop = (timer?: Timer): void => void timer?.close();
  Object.assign(globalThis, {
    setTimeout: timer(false),
    setInterval: timer(true),
    clearTimeout: stop,
    clearInterval: stop,
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => new Timer(0, () => run(...args), false),
    clearImmediate: stop,
  });
  Object.assign(AbortSignal, { timeout: timeoutSignal, any: anySignal });
  performance.now = () => present?.now() ?? realNow();
  const realUptime = process.uptime.bind(process);
  process.uptime = () => (present ? (present.now() - (running().bornMs ?? 0)) / 1_000 : realUptime());
  Date.now = () => (present ? Math.floor(present.wallNow()) : realDate());
};
