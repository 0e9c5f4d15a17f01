/** One run of the command line, from its arguments to its exit code. */
import { CommanderError } from 'commander';
import { toErrorData } from '../../contract/errors.ts';
import { EXIT, exitCodeOf } from '../exit-codes.ts';
import { createOutput } from './output.ts';
import { createProgram } from './program.ts';

/** Runs the command of `args` (without the executable); answers the exit code of design's contract. */
export const runCli = async (args: readonly string[]): Promise<number> => {
  const { stdout, stderr, env } = process;
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  // A reader that has seen enough (`| head`) is no error.
  stdout.on('error', () => {});
  let exitCode: number = EXIT.done;
  const onExit = (code: number): void => {
    exitCode = code;
  };
  try {
    const program = createProgram({ env, signal: interrupt.signal, stdout, stderr, onExit });
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    createOutput(args.includes('--json'), stdout, stderr).error(error);
    return exitCodeOf(toErrorData(error).code);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
};
