/** One run of the command line, from its arguments to its exit code. */

import { setImmediate } from 'node:timers/promises';
import { CommanderError } from 'commander';
import { toErrorData } from '../../../contract/errors.ts';
import type { Language } from '../../../contract/preferences.ts';
import { languageOf } from '../../../words/languages.ts';
import { createHostSpeech } from '../../../words/speech.ts';
import { comesToRest } from '../../data/at-rest.ts';
import { endByForce, REST_MS } from '../../data/end-by-force.ts';
import type { Policy } from '../../settings/policy/policy.ts';
import { readPolicy as readMachinePolicy } from '../../settings/policy/read-policy.ts';
import { EXIT, exitCodeOf } from '../shared/exit-codes.ts';
import { type Stream, watchOutput } from '../shared/terminal.ts';
import { createProgram } from './program.ts';
import type { Environment } from './support/options.ts';
import { createOutput } from './support/output.ts';
import { refusalOf } from './support/refusal.ts';
import type { CliParts } from './support/with-desk.ts';

/** The environment of a command. `signal` is aborted by Ctrl-C. */
export type Terminal = {
  readonly env: Environment;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly parts: CliParts;
  /** What the organisation has set on this machine. */
  readonly readPolicy: () => Promise<Policy>;
  readonly signal: AbortSignal;
  /** Called after everything is closed if the process cannot exit on its own. */
  readonly onHang: () => void;
};

/** Runs the command of `args` (without the executable); returns its exit code (docs/command-line.md). */
export const runCli = async (args: readonly string[], terminal: Terminal): Promise<number> => {
  let exitCode: number = EXIT.done;
  const speech = await createHostSpeech(cliLanguage(terminal.env));
  const onExit = (code: number): void => {
    exitCode = code;
  };
  try {
    await createProgram({ ...terminal, speech, onExit }).parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (thrown) {
    // What was asked for has been shown: help, or the version.
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.done;
    if (thrown instanceof CommanderError && thrown.code === 'commander.help') return EXIT.usage;
    const error = thrown instanceof CommanderError ? refusalOf(thrown) : thrown;
    createOutput(args.includes('--json'), terminal.stdout, terminal.stderr, speech).error(error);
    return exitCodeOf(toErrorData(error).code);
  }
};

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

/**
 * The language of the command line, by LC_ALL, LC_MESSAGES or LANG: the first that is set counts, as POSIX has it. Windows
 * sets none, so there it is that of the system's locale.
 */
export const cliLanguage = (
  { LC_ALL, LC_MESSAGES, LANG }: Environment,
  platform: NodeJS.Platform = process.platform,
  systemLocale = new Intl.NumberFormat().resolvedOptions().locale,
): Language => {
  const named = LC_ALL || LC_MESSAGES || LANG;
  return languageOf([named ?? (platform === 'win32' ? systemLocale : 'C')]);
};
