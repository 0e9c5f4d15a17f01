/** One run of the command line, from its arguments to its exit code. */
import { CommanderError } from 'commander';
import { toErrorData } from '../../../contract/errors.ts';
import { createHostSpeech } from '../../../words/speech/host-speech.ts';
import type { Policy } from '../../settings/policy/policy.ts';
import { EXIT, exitCodeOf } from '../shared/exit-codes.ts';
import type { Stream } from '../shared/terminal-text.ts';
import { cliLanguage } from './cli-language.ts';
import { createProgram } from './program.ts';
import type { CliParts } from './support/cli-host.ts';
import type { Environment } from './support/cli-options.ts';
import { createOutput } from './support/output.ts';
import { refusalOf } from './support/refusal.ts';

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
