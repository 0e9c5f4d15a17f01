import type { CliParts } from './cli-host.ts';
import { runCli } from './run-cli.ts';

/** Runs the command of `args` at this process's own terminal; answers its exit code. Ctrl-C ends it in good order. */
export const runInProcess = async (args: readonly string[], parts: CliParts): Promise<number> => {
  const { stdout, stderr, env } = process;
  const interrupt = new AbortController();
  // Once: who asks a second time means it.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
  // A reader that has seen enough (`| head`) is no error.
  stdout.on('error', () => {});
  return runCli(args, { env, stdout, stderr, parts, signal: interrupt.signal });
};
