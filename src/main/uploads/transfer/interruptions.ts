/**
 * Tracks hosts that respond to probes but interrupt every transfer. While a host does so, only one file at a time tries
 * to send to it, and the others wait.
 */
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { type Sleep, steadyNow } from '../../async/clock.ts';
import { createKeyedLock } from '../../async/lock.ts';
import { type RetryPolicy, retryWaitMs } from '../../async/retry.ts';
import { type Observation, PROBES } from '../../net/host-health.ts';

/** A file that is sent to a host, or needs a call to the service. */
type Visitor = {
  readonly id: number;
  readonly waitSignal: AbortSignal;
  readonly onWaiting: (reason?: DeskError) => void;
};

/** Ends a file's turn. `again`: the file will try once more. */
type Leave = (again: boolean) => void;

export type Interruptions = ReturnType<typeof createInterruptions>;

type InterruptionsOptions = {
  /** Waits before a try; ends early when the user chooses to try now. */
  readonly sleep: Sleep;
  /** The delays between tries. Default: `PROBES`. */
  readonly probes?: RetryPolicy | undefined;
  /** How long an outage may last before waiting files give up, in ms. Absent: without limit. */
  readonly patienceMs?: number | undefined;
  /**
   * Receives an observation of each host that interrupts everything; then `responded`, or `forgotten` once no file
   * waits for it.
   */
  readonly report: (seen: Observation) => void;
  /** Ms since 1970, for display. */
  readonly now: () => number;
  /** Returns ms of a clock that never jumps; `patienceMs` is measured by it. */
  readonly steady?: () => number;
};

/** The minimum of `manyInARow`, even if fewer files are sent concurrently. */
const FEWEST_IN_A_ROW = 3;

/**
 * The number of failures in a row for which the host, or the path to it, is blamed while `atOnce` files are sent: half
 * of them, but at least three. Failures are often faster than transfers, so a few files that began together may fail
 * first by chance.
 */
export const manyInARow = (atOnce: number): number => Math.max(FEWEST_IN_A_ROW, Math.ceil(atOnce / 2));

/** An outage of a host. The outage began at `sinceMs` (ms since 1970), which is `beganMs` on the steady clock. */
type Outage = {
  readonly reason: DeskError;
  readonly of: Pick<Observation, 'side' | 'host'>;
  readonly sinceMs: number;
  readonly beganMs: number;
  waiting: number;
  tries: number;
};
/** What is known about one host. `lost`: the files whose transfers were lost since the host's last response. */
type Known = { readonly lost: Set<number>; outage?: Outage | undefined };

export const createInterruptions = (options: InterruptionsOptions) => {
  const { sleep, probes = PROBES, patienceMs = Number.POSITIVE_INFINITY, report, now, steady = steadyNow } = options;
  const hosts = new Map<string, Known>();
  const turns = createKeyedLock();
  /** Files whose transfers were lost while another file got a response: they are no evidence about their host. */
  const suspects = new Set<number>();
  /** Files that have their turn and no response yet, by host. */
  const visiting = new Map<string, Set<number>>();

  const visit = (to: string, id: number): (() => void) => {
    const ids = visiting.get(to) ?? new Set();
    visiting.set(to, ids.add(id));
    return () => {
      ids.delete(id);
      if (ids.size === 0 && visiting.get(to) === ids) visiting.delete(to);
    };
  };

  /** The number of files that have their turn and no response yet, without `suspects`. */
  const trusted = (to: string): number => [...(visiting.get(to) ?? [])].filter((id) => !suspects.has(id)).length;

  const leaving = (to: string, outage: Outage, { waitSignal, onWaiting }: Visitor, release: () => void): Leave => {
    outage.waiting += 1;
    return (again) => {
      outage.waiting -= 1;
      release();
      if (again && !waitSignal.aborted) return;
      onWaiting();
      if (outage.waiting > 0 || hosts.get(to)?.outage !== outage) return;
      hosts.delete(to);
      report({ ...outage.of, type: 'forgotten' });
    };
  };

  return {
    /**
     * Waits for the file's turn while transfers to the host are interrupted. The caller then tries, reports the
     * outcome, and calls the returned function.
     * @throws DeskError the reason for the outage once the patience is over; the `cancellation` of `waitSignal`
     */
    turn: async (to: string, visitor: Visitor): Promise<Leave> => {
      const outage = hosts.get(to)?.outage;
      if (!outage) return visit(to, visitor.id);
      const { waitSignal, onWaiting } = visitor;
      onWaiting(outage.reason);
      let release = (): void => {};
      const leave = leaving(to, outage, visitor, () => release());
      try {
        release = await turns.take(to, waitSignal);
        if (hosts.get(to)?.outage === outage) {
          if (steady() - outage.beganMs >= patienceMs) throw outage.reason;
          outage.tries += 1;
          await sleep(retryWaitMs(probes, outage.tries), waitSignal);
        } else release();
        const end = visit(to, visitor.id);
        return (again) => {
          end();
          leave(again);
        };
      } catch (error) {
        leave(false);
        throw error;
      }
    },
    /** Reports an interrupted transfer. Returns whether the host is to blame; `certain`: an error that proves that. */
    lost: (to: string, id: number, origin: string, certain?: DeskError): boolean => {
      const known: Known = hosts.get(to) ?? { lost: new Set() };
      hosts.set(to, known);
      if (!suspects.has(id)) known.lost.add(id);
      if (!certain && !known.outage && known.lost.size < manyInARow(trusted(to))) return false;
      const of = { side: 'storage', host: new URL(origin).host } as const;
      known.outage ??= {
        reason: certain ?? interrupted(origin),
        of,
        sinceMs: now(),
        beganMs: steady(),
        waiting: 0,
        tries: 0,
      };
      const { reason, sinceMs } = known.outage;
      report({ ...of, type: 'unreachable', origin, atMs: sinceMs, reason: toErrorData(reason) });
      return true;
    },
    /** Reports that the host responded to a transfer of the file, with any status. */
    responded: (to: string, id: number): void => {
      const known = hosts.get(to);
      suspects.delete(id);
      // The file may keep its turn during a pause that the host requested, although it already has its response.
      visiting.get(to)?.delete(id);
      if (!known) return;
      hosts.delete(to);
      if (known.outage) report({ ...known.outage.of, type: 'responded' });
      for (const other of known.lost) if (other !== id) suspects.add(other);
    },
  };
};

/** The error of a host that interrupts every transfer. Its phase `connect` stops the batch: no file is to blame. */
const interrupted = (origin: string): DeskError =>
  new DeskError('network/interrupted', 'the host interrupts every transfer', {
    retry: 'later',
    details: { phase: 'connect', origin, host: new URL(origin).host },
  });
