/** For tests of the controllers: simulates uploads over a line, in simulated time. */
import { WHOLE_BYTES } from '../../source/local-file.ts';
import { createPacer } from '../congestion.ts';
import { createTuning } from '../pool.ts';

export type SimulatedLine = {
  readonly roundTripMs: number;
  /** The bandwidth for uploads, by the time of the simulation. */
  readonly bytesPerMs: (atMs: number) => number;
  /** The capacity of the bottleneck's buffer, as the time that it takes to send a full buffer. */
  readonly bufferMs: number;
  /** The maximum random delay of a request. */
  readonly jitterMs: number;
  readonly serviceMs: number;
  /** The number of requests that the storage handles at a time. Further requests get a response 503 immediately. */
  readonly atOnce?: number;
};

type SimulatedApp = {
  readonly fileBytes: number;
  readonly fromMs: number;
  readonly leavesRoom?: boolean;
  /** The user's limit in bytes per second, by the time of the simulation; undefined: none. */
  readonly limit?: (atMs: number) => number | undefined;
};

/**
 * What one app did in each second of the simulation. `rejected`: how many of its requests the storage rejected in all.
 */
type AppTrace = { readonly limits: number[]; readonly bytes: number[]; rejected: number };
type Trace = { readonly apps: readonly AppTrace[]; readonly queueMs: number[] };

/** The length of a step of the simulation, in ms. */
const STEP_MS = 2;

/** The number of bytes that a connection puts into the bottleneck's buffer in its turn. */
const PART_BYTES = 16 * 1024;

type Transfer = { left: number; readonly begunMs: number };

/**
 * Creates a generator of numbers from 0 to 1, which are the same for the same seed (a linear congruential generator).
 */
const randomFrom = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/**
 * Simulates apps that have endless work, for `forMs`. In the period `greedyMs`, another program keeps the buffer full.
 */
export const simulate = (
  line: SimulatedLine,
  apps: readonly SimulatedApp[],
  {
    forMs,
    seed = 1,
    greedyMs,
  }: { readonly forMs: number; readonly seed?: number; readonly greedyMs?: readonly [number, number] },
): Trace => {
  let nowMs = 0;
  let queued = 0;
  const random = randomFrom(seed);
  const later: { readonly atMs: number; readonly happen: () => void }[] = [];
  const trace: Trace = { apps: apps.map(() => ({ limits: [], bytes: [], rejected: 0 })), queueMs: [] };
  const now = (): number => nowMs;
  const rate = (): number => line.bytesPerMs(nowMs);
  const latencyMs = (): number => queued / rate() + line.roundTripMs + line.serviceMs + random() * line.jitterMs;
  const after = (ms: number, happen: () => void): void => void later.push({ atMs: nowMs + ms, happen });
  const hasRoom = (): boolean => queued < rate() * line.bufferMs;

  const running = apps.map(({ fileBytes, fromMs, leavesRoom = false, limit }, index) => {
    const seen = trace.apps[index] ?? { limits: [], bytes: [], rejected: 0 };
    const tuning = createTuning(now, () => {});
    const pacer = createPacer(now, () => leavesRoom);
    const sending: Transfer[] = [];
    let inProgress = 0;
    let freeAtMs = 0;
    let second = 0;
    let atStorage = 0;
    let isProbing = false;
    const isLarge = fileBytes > WHOLE_BYTES;
    /** Whether the first probe has got a response. A large file waits for it. */
    let hasBegun = false;

    const end = (): void => {
      inProgress -= 1;
      tuning.ended();
    };
    const probe = (): void => {
      const responded = pacer.request('https://storage');
      isProbing = true;
      after(latencyMs(), () => {
        isProbing = false;
        responded();
        if (isLarge && !hasBegun) pacer.beginSlowly();
        hasBegun = true;
      });
    };
    const begin = (): void => {
      inProgress += 1;
      after(latencyMs(), pacer.request('service'));
      sending.push({ left: fileBytes, begunMs: nowMs });
    };
    /** To be called when the last byte of a file is in the buffer. */
    const handOver = ({ begunMs }: Transfer): void => {
      if (atStorage >= (line.atOnce ?? Number.POSITIVE_INFINITY)) {
        seen.rejected += 1;
        after(line.roundTripMs, () => {
          tuning.overloaded();
          end();
        });
        return;
      }
      atStorage += 1;
      after(latencyMs(), () => {
        atStorage -= 1;
        tuning.responded(nowMs - begunMs);
        end();
      });
    };
    /** Puts one part into the buffer, if the pace permits it. Returns whether it did. */
    const sendPart = (): boolean => {
      const transfer = sending.shift();
      if (!transfer) return false;
      const pace = pacer.rate(limit?.(nowMs));
      if (pace !== undefined && freeAtMs > nowMs) {
        sending.unshift(transfer);
        return false;
      }
      const bytes = Math.min(PART_BYTES, transfer.left, Math.ceil((pace ?? Number.POSITIVE_INFINITY) / 10));
      if (pace !== undefined) freeAtMs = Math.max(nowMs - STEP_MS, freeAtMs) + (bytes / pace) * 1_000;
      queued += bytes;
      transfer.left -= bytes;
      pacer.moved(bytes);
      second += bytes;
      tuning.moved(bytes);
      if (transfer.left > 0) sending.push(transfer);
      else handOver(transfer);
      return true;
    };
    return {
      step: () => {
        if (nowMs < fromMs) return;
        if (nowMs === fromMs) {
          pacer.sendTo('https://storage');
          probe();
        }
        if (isLarge && !hasBegun) return;
        while (inProgress < tuning.limit()) begin();
        tuning.busy();
        if (!isProbing && pacer.needsProbe()) probe();
      },
      sendPart,
      note: () => {
        seen.limits.push(tuning.limit());
        seen.bytes.push(second);
        second = 0;
      },
    };
  });

  for (; nowMs < forMs; nowMs += STEP_MS) {
    queued = Math.max(0, queued - rate() * STEP_MS);
    if (greedyMs && nowMs >= greedyMs[0] && nowMs < greedyMs[1])
      queued = Math.max(queued, rate() * line.bufferMs * 0.98);
    for (let index = 0; index < later.length; ) {
      const event = later[index];
      if (!event || event.atMs > nowMs) index += 1;
      else {
        later.splice(index, 1);
        event.happen();
      }
    }
    for (const app of running) app.step();
    let moved = true;
    // The apps that wait for the buffer take turns.
    while (moved && hasRoom()) {
      moved = false;
      for (const app of running) if (hasRoom() && app.sendPart()) moved = true;
    }
    if (nowMs % 1_000 === 0) {
      for (const app of running) app.note();
      trace.queueMs.push(Math.round(queued / rate()));
    }
  }
  return trace;
};
