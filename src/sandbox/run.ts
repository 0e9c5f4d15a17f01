/** The sandbox as a process: flags in, one line of JSON out, an exit code at the end. */
import { once } from 'node:events';
import { parseSandboxArgs, type SandboxCommand, sandboxUsage } from './cli.ts';
import { readFaultFile } from './faults/fault-plan.ts';
import { type Sandbox, startSandbox } from './server.ts';

type StartCommand = Extract<SandboxCommand, { kind: 'start' }>;

/**
 * Runs a sandbox as this process's work. Once it listens, one line of JSON goes to standard output:
 * `{"type":"listening","port":…,"baseUrl":…,"authUrl":…,"clientId":…,"controlToken":…}`. It stops on SIGTERM or SIGINT,
 * when `signal` is aborted or an IPC parent disconnects, and with `--parent-stdin` when standard input ends. Resolves
 * with the exit code: 0 stopped as asked or help shown, 2 wrong flags, fault file or state folder, 4 port not
 * available. For 2 and 4, a one-line reason goes to standard error.
 */
export const runSandbox = async (args: readonly string[], signal?: AbortSignal): Promise<number> => {
  const command = parseSandboxArgs(args);
  if (command.kind === 'help') {
    process.stdout.write(`${sandboxUsage}\n`);
    return 0;
  }
  if (command.kind === 'wrong') return fail(2, command.message);
  // Called before the sandbox starts, so that a signal does not end the process by its default action.
  const stop = awaitStop(command.stopsWithStdin, signal);
  try {
    const { close, ...address } = await start(command);
    process.stdout.write(`${JSON.stringify({ type: 'listening', ...address })}\n`);
    await stop.requested;
    await close();
    return 0;
  } catch (error) {
    const isTaken = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
    return fail(isTaken ? 4 : 2, error instanceof Error ? error.message : String(error));
  } finally {
    stop.dispose();
  }
};

const start = async ({ settings, faultFile }: StartCommand): Promise<Sandbox> =>
  startSandbox({ ...settings, faults: faultFile === undefined ? [] : await readFaultFile(faultFile) });

const fail = (exitCode: number, message: string): number => {
  process.stderr.write(`sandbox: ${message.split('\n', 1)[0]}\n`);
  return exitCode;
};

/** Listens for a request to stop, until `dispose` is called. */
const awaitStop = (stopsWithStdin: boolean, asked?: AbortSignal) => {
  const waiting = new AbortController();
  const { signal } = waiting;
  const reasons: Promise<unknown>[] = [once(process, 'SIGTERM', { signal }), once(process, 'SIGINT', { signal })];
  if (asked) reasons.push(asked.aborted ? Promise.resolve() : once(asked, 'abort', { signal }));
  if (process.connected) reasons.push(once(process, 'disconnect', { signal }));
  if (stopsWithStdin) {
    reasons.push(once(process.stdin, 'end', { signal }), once(process.stdin, 'close', { signal }));
    process.stdin.resume();
  }
  return {
    // A broken standard input rejects; the parent has gone then too.
    requested: Promise.race(reasons).catch(() => undefined),
    dispose: (): void => {
      waiting.abort();
      if (stopsWithStdin) process.stdin.pause();
    },
  };
};
