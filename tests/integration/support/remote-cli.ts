/** Runs commands in a process of another system: one process for all commands of the tests that share this module. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Terminal } from '../../../src/main/hosts/headless/run-cli.ts';
import { program } from './runtime.ts';

export type CliRequest =
  | {
      readonly type: 'run';
      readonly id: number;
      readonly args: readonly string[];
      readonly env: Terminal['env'];
      /** The width of the terminal, if standard error is one. */
      readonly columns?: number | undefined;
    }
  /** The user pressed Ctrl-C. */
  | { readonly type: 'stop'; readonly id: number };

export type CliAnswer =
  | { readonly type: 'stdout' | 'stderr'; readonly id: number; readonly text: string }
  | { readonly type: 'exit'; readonly id: number; readonly exitCode: number };

/** The parts of a terminal that can be passed to another process. */
type PlainTerminal = Pick<Terminal, 'cwd' | 'env' | 'stdout' | 'stderr' | 'signal'>;

export type RunCli = (args: readonly string[], terminal: PlainTerminal) => Promise<number>;

/** Starts the process with `runtime`. It ends together with this process. */
export const startRemoteCli = async (runtime: string): Promise<RunCli> => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  const server = program('tests/integration/support/cli-server.ts');
  const child = spawn(runtime, [server, String(address.port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint += text;
  });
  const [socket] = await Promise.race([
    once(listener, 'connection'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the process of the commands ended with ${code}: ${complaint}`);
    }),
  ]);
  listener.close();
  // The process must not keep the tests' process alive.
  child.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
  socket.unref();

  const running = new Map<number, { readonly terminal: PlainTerminal; readonly exit: (code: number) => void }>();
  createInterface(socket).on('line', (line) => {
    const answer: CliAnswer = JSON.parse(line);
    const run = running.get(answer.id);
    if (answer.type !== 'exit') run?.terminal[answer.type].write(answer.text);
    else {
      running.delete(answer.id);
      run?.exit(answer.exitCode);
    }
  });
  const send = (request: CliRequest): void => void socket.write(`${JSON.stringify(request)}\n`);
  let last = 0;
  return (args, terminal) =>
    new Promise((resolve) => {
      last += 1;
      const id = last;
      const { columns } = terminal.stderr;
      running.set(id, { terminal, exit: resolve });
      send({ type: 'run', id, args, env: terminal.env, columns });
      terminal.signal.addEventListener('abort', () => send({ type: 'stop', id }));
    });
};
