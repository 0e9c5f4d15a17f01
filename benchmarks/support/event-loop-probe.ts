/**
 * Measures the event loop's delay in the main thread of a process (`--import`), and writes it to EVENT_LOOP_DELAY_FILE
 * at the end. SIGUSR2 restarts the measurement.
 */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** The interval of the timer whose delay is measured: how late it fires. */
const RESOLUTION_MS = 10;

const file = process.env.EVENT_LOOP_DELAY_FILE;
if (isMainThread && file !== undefined) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  process.on('SIGUSR2', () => histogram.reset());
  const write = (): void => {
    const late = (ns: number): number => Math.max(0, ns / 1e6 - RESOLUTION_MS);
    const result = {
      p50Ms: late(histogram.percentile(50)),
      p99Ms: late(histogram.percentile(99)),
      maxMs: late(histogram.max),
    };
    writeFileSync(file, JSON.stringify(result));
  };
  process.once('exit', write);
  // At its end, the command line replaces its process, so that no `exit` is emitted.
  const { execve } = process;
  if (execve !== undefined)
    process.execve = (...args) => {
      write();
      return execve.apply(process, args);
    };
}
