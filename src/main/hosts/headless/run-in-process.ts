import { setImmediate } from 'node:timers/promises';
import { comesToRest } from '../../data/at-rest.ts';
import { endByForce, REST_MS } from '../../data/end-by-force.ts';
import type { Policy } from '../../settings/policy/policy.ts';
import { readPolicy as readMachinePolicy } from '../../settings/policy/read-policy.ts';
import { EXIT } from '../shared/exit-codes.ts';
import { watchOutput } from '../shared/terminal-text.ts';
import { runCli } from './run-cli.ts';
import type { CliParts } from './support/cli-host.ts';

/** How long a command that is stopped may take to close everything. Closing itself waits for files in transfer. */
const INTERRUPT_MS = 20_000;

/**
 * Runs the command of `args` on the terminal of this process and returns its exit code, its output written. Ctrl-C stops it
 * cleanly, and so do `quit` and output that nobody reads any more (`| head`). A drive that no longer responds prevents neither that nor
 * the normal end of the process.
 */
export const runInProcess = async (
  args: readonly string[],
  parts: CliParts,
  readPolicy: () => Promise<Policy> = readMachinePolicy,
  quit?: AbortSignal,
): Promise<number> => {
  const { stdout, stderr, env } = process;
  const interrupt = new AbortController();
  const stop = (exitCode: number): void => {
    if (interrupt.signal.aborted) return;
    interrupt.abort();
    setTimeout(endByForce, INTERRUPT_MS, exitCode).unref();
  };
  // Once, so that a second Ctrl-C ends the process.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop(EXIT.interrupted));
  quit?.addEventListener('abort', () => stop(EXIT.interrupted));
  let outputLost = false;
  watchOutput(() => {
    outputLost = true;
    stop(EXIT.outputLost);
  });
  let hangs = false;
  const onHang = (): void => {
    hangs = true;
  };
  const ended = await runCli(args, { env, stdout, stderr, parts, readPolicy, signal: interrupt.signal, onHang });
  const atRest = !hangs && (await comesToRest(REST_MS));
  await flushOutput();
  const exitCode = outputLost ? EXIT.outputLost : ended;
  if (!atRest) endByForce(exitCode);
  return exitCode;
};

/** Resolves when all output is written, which a pipe may delay, or cannot be. */
export const flushOutput = async (): Promise<void> => {
  const flush = (stream: NodeJS.WriteStream) =>
    // To write nothing would fail, too, where nobody reads.
    stream.writableLength > 0 && new Promise((resolve) => stream.write('', resolve));
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  // What could not be written is reported after this.
  await setImmediate();
};
