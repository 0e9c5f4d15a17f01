/**
 * Runs the command line as scripts do, and reads its lines of JSON and its exit code. Commands run in the tests' own
 * process, which takes a tenth of the time, or in one process of another runtime. `spawnCli` is for tests that need a
 * separate process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { runCli } from '../../../src/main/hosts/headless/run-cli.ts';
import { handOver } from '../../../src/main/hosts/shared/command-channel.ts';
import { sourceParts } from '../../../src/main/hosts/shared/source-parts.ts';
import type { Policy } from '../../../src/main/settings/policy/policy.ts';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { type RunCli, startRemoteCli } from './remote-cli.ts';
import { endProgram, otherRuntime, program } from './runtime.ts';
import { threads, workerWithoutBackoff } from './threads.ts';

export type Line = { readonly type?: string } & Readonly<Record<string, unknown>>;

export type CliRun = {
  readonly exitCode: number | null;
  /** The lines of standard output, without the requests to sign in. */
  readonly lines: readonly Line[];
  readonly stdout: string;
  readonly stderr: string;
};

export type CliOptions = {
  /** Absent: the command gets no connection. */
  readonly sandbox?: Pick<Sandbox, 'baseUrl' | 'authUrl' | 'clientId'> | undefined;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs without --json: the output is for users, and has no lines to parse. */
  readonly words?: boolean;
  /** The module that a separate process runs. Default: the command line. */
  readonly program?: string;
  /** The command of a separate process, instead of Node with `program`. */
  readonly command?: readonly [string, ...string[]];
  /** The width of the terminal, if standard error is one. Lines in a terminal can be overwritten. */
  readonly columns?: number;
  /** Reads the policy of the organisation. Default: none. */
  readonly readPolicy?: () => Promise<Policy>;
  /** Aborted when the user presses Ctrl-C. */
  readonly signal?: AbortSignal;
  /**
   * Whether the process that has opened the data directory runs the command, if there is one. Default: the command
   * opens the directory itself.
   */
  readonly isHandedOver?: boolean;
  readonly cwd?: string;
  /** The module of the draft's worker. Default: the app's. */
  readonly draftWorker?: URL;
  /** Called with the address of the sign-in. Default: consents there. */
  readonly browse?: (url: string) => void;
};

/** Called with each line when it is printed. `stop` has the effect of Ctrl-C. */
export type OnLine = (line: Line, stop: () => void) => void;

const runHere =
  ({ readPolicy = async () => ({}), draftWorker = threads.draftWorker, isHandedOver }: CliOptions): RunCli =>
  (args, terminal) =>
    runCli(args, {
      ...terminal,
      parts: { ...sourceParts, ...threads, uploadWorker: workerWithoutBackoff, draftWorker },
      readPolicy,
      onHang: () => {},
      ...(isHandedOver && { handOver: (home) => handOver(home, args, terminal) }),
    });

let remote: Promise<RunCli> | undefined;
const runThere = async (runtime: string): Promise<RunCli> => {
  remote ??= startRemoteCli(runtime);
  return remote;
};

export const cli = async (args: readonly string[], options: CliOptions, onLine: OnLine = () => {}): Promise<CliRun> => {
  const interrupt = new AbortController();
  const reader = createReader(options, (line) => onLine(line, () => interrupt.abort()));
  // Another process gets only the arguments and the terminal, so commands with these options run in this process.
  const staysHere = options.readPolicy !== undefined || options.draftWorker !== undefined || options.isHandedOver;
  const run = otherRuntime === undefined || staysHere ? runHere(options) : await runThere(otherRuntime);
  const exitCode = await run([...args, ...commonArguments(options)], {
    cwd: options.cwd ?? process.cwd(),
    env: { HOME: options.home, ...options.env },
    stdout: { write: reader.stdout },
    stderr: { write: reader.stderr, ...(options.columns !== undefined && { isTTY: true, columns: options.columns }) },
    signal: AbortSignal.any([interrupt.signal, ...(options.signal ? [options.signal] : [])]),
  });
  return reader.run(exitCode);
};

export type Spawned = CliRun & { readonly signal: NodeJS.Signals | null };
export type CliProcess = {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Returns whether the process got the signal. With another runtime, SIGKILL is the only signal. */
  readonly kill: (signal: NodeJS.Signals) => boolean;
};

type OnLineOfProcess = (line: Line, child: CliProcess) => void;

/** Runs a command in a separate process. `onLine` gets the process, which it can end. */
export const spawnCli = (args: readonly string[], options: CliOptions, onLine?: OnLineOfProcess): Promise<Spawned> =>
  spawnProgram(args, options, onLine).ended;

/** Starts a command in a separate process, which can be ended before it prints anything. */
export const spawnProgram = (
  args: readonly string[],
  options: CliOptions,
  onLine: OnLineOfProcess = () => {},
): CliProcess & { readonly ended: Promise<Spawned> } => {
  const main = options.program ?? program('src/main/hosts/headless/main.mjs');
  const [executable, ...first] = options.command ?? [otherRuntime ?? process.execPath, main];
  const child = spawn(executable, [...first, ...args, ...commonArguments(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: options.home, ...options.env },
  });
  let isKilled = false;
  const kill = (signal: NodeJS.Signals): boolean => {
    if (otherRuntime === undefined) return child.kill(signal);
    if (signal !== 'SIGKILL') throw new Error(`this runtime has no ${signal}`);
    isKilled = endProgram(child.pid ?? 0, main);
    return isKilled;
  };
  const reader = createReader(options, (line) => onLine(line, { stdout: child.stdout, stderr: child.stderr, kill }));
  child.stdout.setEncoding('utf8').on('data', reader.stdout);
  child.stderr.setEncoding('utf8').on('data', reader.stderr);
  const ended = once(child, 'close').then(
    ([exitCode, signal]): Spawned =>
      isKilled ? { ...reader.run(null), signal: 'SIGKILL' } : { ...reader.run(exitCode), signal },
  );
  return { stdout: child.stdout, stderr: child.stderr, kill, ended };
};

export const ofType = ({ lines }: Pick<CliRun, 'lines'>, type: string): readonly Line[] =>
  lines.filter((line) => line.type === type);

const commonArguments = ({ sandbox, home, words }: CliOptions): readonly string[] => [
  ...['--home', home, '--token-store', 'memory', '--no-browser'],
  ...(words ? [] : ['--json']),
  ...(sandbox ? ['--base-url', sandbox.baseUrl, '--auth-url', sandbox.authUrl, '--client-id', sandbox.clientId] : []),
];

const createReader = ({ words, browse = consent }: CliOptions, onLine: (line: Line) => void) => {
  const lines: Line[] = [];
  let stdout = '';
  let stderr = '';
  let unfinished = '';
  const read = (text: string): void => {
    const line: Line = JSON.parse(text);
    if (line.type === 'authorize') browse(String(line.url));
    else lines.push(line);
    onLine(line);
  };
  return {
    stdout: (text: string): void => {
      stdout += text;
      if (words) return;
      const complete = `${unfinished}${text}`.split('\n');
      unfinished = complete.pop() ?? '';
      complete.forEach(read);
    },
    stderr: (text: string): void => {
      stderr += text;
      const asked = words && /^http\S+\/authorize\?\S+/m.exec(text);
      if (asked) browse(asked[0]);
    },
    run: (exitCode: number | null): CliRun => ({ exitCode, lines, stdout, stderr }),
  };
};

/**
 * Opens the address as a browser, at a service that consents. The request fails, or ends early, if the process is
 * killed.
 */
export const consent = (url: string): void => {
  fetch(url)
    .then((page) => page.text())
    .catch(() => {});
};
