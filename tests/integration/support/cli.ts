/** The command line as scripts see it: a process of its own, its lines of JSON, its exit code. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from '../../../src/sandbox/server.ts';

const main = fileURLToPath(new URL('../../../src/main/headless/main.ts', import.meta.url));

export type Line = { readonly type?: string } & Readonly<Record<string, unknown>>;

export type CliRun = {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Standard output, line by line, but for what asked for a sign-in. */
  readonly lines: readonly Line[];
  /** Standard output as it was. */
  readonly stdout: string;
  readonly stderr: string;
};

export type CliOptions = {
  /** Absent: no connection is given. */
  readonly sandbox?: Pick<Sandbox, 'baseUrl' | 'authUrl' | 'clientId'> | undefined;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Told of each line as it comes, with the process, which may be ended. */
  readonly onLine?: (line: Line, child: ChildProcessByStdio<null, Readable, Readable>) => void;
};

/** Runs a command with --json; a sign-in it asks for is granted, as a browser at a consenting service would. */
export const runCli = async (args: readonly string[], options: CliOptions): Promise<CliRun> => {
  const { sandbox, home, env = {}, onLine } = options;
  const connection = sandbox
    ? ['--base-url', sandbox.baseUrl, '--auth-url', sandbox.authUrl, '--client-id', sandbox.clientId]
    : [];
  const common = ['--home', home, '--token-store', 'memory', '--no-browser', '--json', ...connection];
  const child = spawn(process.execPath, [main, ...args, ...common], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  const lines: Line[] = [];
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  createInterface(child.stdout).on('line', (text) => {
    stdout += `${text}\n`;
    const line: Line = JSON.parse(text);
    // Refused by the network where the process is killed meanwhile.
    if (line.type === 'authorize') void fetch(String(line.url)).catch(() => {});
    else lines.push(line);
    onLine?.(line, child);
  });
  const [exitCode, signal] = await once(child, 'close');
  return { exitCode, signal, lines, stdout, stderr };
};

/** The lines of a type. */
export const ofType = ({ lines }: Pick<CliRun, 'lines'>, type: string): readonly Line[] =>
  lines.filter((line) => line.type === type);
