import { comesToRest } from '../../data/at-rest.ts';
import { endByForce, REST_MS } from '../../data/end-by-force.ts';
import type { Policy } from '../../settings/policy/policy.ts';
import { readPolicy as readMachinePolicy } from '../../settings/policy/read-policy.ts';
import { EXIT } from '../shared/exit-codes.ts';
import { runCli } from './run-cli.ts';
import type { CliParts } from './support/cli-host.ts';

/** How long a command may take after Ctrl-C to close everything. Closing itself waits for files in transfer. */
const INTERRUPT_MS = 20_000;

/**
 * Runs the command of `args` on the terminal of this process and returns its exit code. Ctrl-C stops it cleanly. A drive
 * that no longer responds prevents neither that nor the normal end of the process.
 */
export const runInProcess = async (
  args: readonly string[],
  parts: CliParts,
  readPolicy: () => Promise<Policy> = readMachinePolicy,
): Promise<number> => {
  const { stdout, stderr, env } = process;
  const interrupt = new AbortController();
  const stop = (): void => {
    interrupt.abort();
    setTimeout(endByForce, INTERRUPT_MS, EXIT.interrupted).unref();
  };
  // Once, so that a second Ctrl-C ends the process.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  // A reader that closes early (`| head`) is not an error.
  stdout.on('error', () => {});
  let hangs = false;
  const onHang = (): void => {
    hangs = true;
  };
  const exitCode = await runCli(args, { env, stdout, stderr, parts, readPolicy, signal: interrupt.signal, onHang });
  if (hangs || !(await comesToRest(REST_MS))) {
    await Promise.all([flushed(stdout), flushed(stderr)]);
    endByForce(exitCode);
  }
  return exitCode;
};

/** Resolves when the stream's output is written, which a pipe may delay. */
export const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
