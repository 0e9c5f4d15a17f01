/**
 * Holds back calls to a host that requested a pause, so that the host need not refuse each call. After a pause or an
 * outage, calls resume one at a time, because thousands of other clients may resume as well. Responses to these calls
 * shorten the interval between the calls.
 */
import { DeskError } from '../../contract/errors.ts';
import { throwIfCancelled } from '../async/cancel.ts';
import { createNudge, sleep as realSleep, type Sleep, steadyNow, wallNow } from '../async/clock.ts';

export type Gate = ReturnType<typeof createGate>;

type GateOptions = {
  readonly now?: () => number;
  readonly sleep?: Sleep;
  readonly random?: () => number;
  /**
   * The number of refusals in a row after which calls wait. For refusals that name no pause, the number is at least
   * three. Default: one.
   */
  readonly inARow?: () => number;
};

type PassOptions = {
  readonly signal?: AbortSignal | undefined;
  /** A call that would have to wait longer fails immediately. Default: no limit. */
  readonly maxWaitMs?: number;
  /**
   * Whether a user waits for the call. The call then waits for the end of a pause, but not for its turn after the
   * pause.
   */
  readonly isUrgent?: boolean;
  /** Called before a wait begins, with the reason: `service/busy`, with the details of `heldBack`. */
  readonly onHeld?: (reason: DeskError) => void;
};

/** The state of a host. Times are according to the gate's clock. */
type Host = {
  pausesInARow: number;
  heldUntilMs: number;
  /** The average time between two calls; each wait varies at random. 0: calls do not wait for each other. */
  intervalMs: number;
  nextMs: number;
  /** When the interval was last lengthened. Responses to earlier calls do not shorten the interval. */
  pacedSinceMs: number;
  troubleSinceMs: number;
};

/**
 * The maximum interval between calls, as a fraction of the length of the pause or outage; after further refusals, as a
 * fraction of the time since the pause or outage began. With `FASTER`, a single client is back at full speed within two
 * thirds of this length or time.
 */
const PART = 0.1;
const LONGEST_FIRST_MS = 120_000;
/** The maximum interval after refusals of paced calls. It exceeds `LONGEST_FIRST_MS`: the host is still overloaded. */
const LONGEST_REFUSED_MS = 180_000;
/**
 * A refusal that names no pause makes the gate space calls only once there were this many refusals in a row, or as many
 * as `inARow` returns, if that is more. Calls are then spaced as after a pause of `UNNAMED_MS`.
 */
const UNNAMED_IN_A_ROW = 3;
const UNNAMED_MS = 10_000;
/** If the interval falls below this, calls no longer wait for each other. */
const SHORTEST_INTERVAL_MS = 20;
/**
 * The factors of the interval after a response (`FASTER`) and after a refusal (`SLOWER`). They balance at one refused
 * call in 11, however many clients share the host: 0.85 ^ 10 is about 1 / 5.
 */
const FASTER = 0.85;
const SLOWER = 5;

/**
 * Creates the error of a call that would have to wait for `leftMs`. Details: `host`; `until`, in ms since 1970; `held`:
 * true, because calls to the host have to wait; `paced`: true if calls wait for their turn, absent if they wait for the
 * end of a pause.
 */
const heldBack = (host: string, leftMs: number, isPaced: boolean): DeskError =>
  new DeskError('service/busy', isPaced ? 'calls are made one at a time' : 'the host requested a pause', {
    retry: 'later',
    retryAfterMs: leftMs,
    details: { host, until: wallNow() + leftMs, held: true, ...(isPaced && { paced: true }) },
  });

/** Creates a gate that is open for each host. In calls, `name` is a host with its port, in the format of `URL.host`. */
export const createGate = (options: GateOptions = {}) => {
  const { now = steadyNow, sleep = realSleep, random = Math.random, inARow = () => 1 } = options;
  const hosts = new Map<string, Host>();
  const waits = createNudge(sleep);
  const known = (name: string): Host => {
    const unpaced = { intervalMs: 0, nextMs: 0, pacedSinceMs: Number.NEGATIVE_INFINITY, troubleSinceMs: 0 };
    const host = hosts.get(name) ?? { pausesInARow: 0, heldUntilMs: 0, ...unpaced };
    hosts.set(name, host);
    return host;
  };
  const untilNext = ({ intervalMs }: Host): number => intervalMs * (0.5 + random());
  /** Lengthens the interval after a pause or an outage that lasts `ms` and ends at `fromMs`. */
  const slowDown = (host: Host, ms: number, fromMs: number): void => {
    if (host.intervalMs === 0) host.troubleSinceMs = fromMs - ms;
    const slower = Math.min(host.intervalMs * SLOWER, (now() - host.troubleSinceMs) * PART, LONGEST_REFUSED_MS);
    const next = Math.max(Math.min(ms * PART, LONGEST_FIRST_MS), host.intervalMs, slower);
    if (next < SHORTEST_INTERVAL_MS) return;
    host.intervalMs = next;
    host.pacedSinceMs = now();
    host.nextMs = Math.max(host.nextMs, fromMs + untilNext(host));
  };
  /**
   * Takes the turn, and sets the time of the next turn. If no call took the turn for a while, the interval becomes
   * shorter, as after responses, because other clients have resumed in the meantime.
   */
  const takeTurn = (host: Host): void => {
    host.intervalMs -= (now() - host.nextMs) * (1 - FASTER);
    if (host.intervalMs < SHORTEST_INTERVAL_MS) host.intervalMs = 0;
    host.nextMs = host.intervalMs === 0 ? 0 : now() + untilNext(host);
  };
  return {
    /**
     * Resolves when the host may be called, to the time of the call according to the gate's clock. Resolves immediately
     * if the host may be called now, even if `signal` is aborted.
     * @throws DeskError `service/busy` immediately if the wait would be longer than `maxWaitMs`; the `cancellation` of
     * `signal` if it is aborted before or during the wait
     */
    pass: async (
      name: string,
      { signal, maxWaitMs = Number.POSITIVE_INFINITY, isUrgent = false, onHeld = () => {} }: PassOptions = {},
    ): Promise<number> => {
      // A loop, because during the wait the hold may have been extended, or another call may have taken the turn.
      for (;;) {
        const host = hosts.get(name);
        if (host === undefined) return now();
        const isPaced = host.intervalMs > 0 && !isUrgent;
        const leftMs = Math.max(host.heldUntilMs, isPaced ? host.nextMs : 0) - now();
        if (leftMs <= 0) {
          if (isPaced) takeTurn(host);
          return now();
        }
        throwIfCancelled(signal);
        const reason = heldBack(name, leftMs, host.heldUntilMs <= now());
        if (leftMs > maxWaitMs) throw reason;
        onHeld(reason);
        await waits.sleep(leftMs, signal);
      }
    },
    /**
     * To be called when the host refused a call because it was busy. `calledMs`: when the call was made; `ms`: the
     * pause that the host requested, undefined if it named none. Holds all calls for `ms`, and then spaces them further
     * apart; without `ms`, only spaces them. If calls are not paced yet, begins to space them only after `inARow`
     * refusals in a row (at least three if no pause is named). Does not lengthen the interval if it last became longer
     * after the call was made. Never shortens a hold. Returns the reason if the next call has to wait.
     */
    hold: (name: string, ms: number | undefined, calledMs: number): DeskError | undefined => {
      const host = known(name);
      host.pausesInARow += 1;
      const isInARow = host.pausesInARow >= (ms === undefined ? Math.max(UNNAMED_IN_A_ROW, inARow()) : inARow());
      if (isInARow || host.intervalMs > 0) {
        host.heldUntilMs = Math.max(host.heldUntilMs, now() + (ms ?? 0));
        const pauseMs = ms ?? (isInARow ? UNNAMED_MS : 0);
        if (calledMs > host.pacedSinceMs) slowDown(host, pauseMs, host.heldUntilMs);
      }
      const isPaced = host.heldUntilMs <= now();
      const leftMs = (isPaced ? host.nextMs : host.heldUntilMs) - now();
      return leftMs > 0 ? heldBack(name, leftMs, isPaced) : undefined;
    },
    /**
     * To be called when a call to the host, made at `calledMs` on the clock of the gate, got a response that requests
     * no pause. Shortens the interval between calls if the call was made after the interval last became longer.
     */
    responded: (name: string, calledMs: number): void => {
      const host = hosts.get(name);
      if (host === undefined) return;
      host.pausesInARow = 0;
      if (calledMs > host.pacedSinceMs) host.intervalMs *= FASTER;
      if (host.intervalMs === 0 || host.intervalMs >= SHORTEST_INTERVAL_MS) return;
      host.intervalMs = 0;
      // The waiting calls may have got a late turn while the interval was long: only urgent calls have shortened it
      // since.
      host.nextMs = 0;
      waits.now();
    },
    /** To be called when the host responds again after it was unreachable for `ms`. */
    returned: (name: string, ms: number): void => slowDown(known(name), ms, now()),
    /** Lets calls to all hosts pass immediately. To be called when a user wants to try now. */
    open: (): void => {
      hosts.clear();
      waits.now();
    },
  };
};
