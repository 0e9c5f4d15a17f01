/**
 * Runs commands for the tests in one process of another system. Its argument is a port of the tests' process. Each line
 * of the connection is a message as JSON.
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { runCli } from '../../../src/main/hosts/headless/run-cli.ts';
import { sourceParts } from '../../../src/main/hosts/shared/source-parts.ts';
import type { CliAnswer, CliRequest } from './remote-cli.ts';

// Removes the backoff, as `withoutBackoff` does in the tests' own process.
Math.random = () => 0;

const socket = connect(Number(process.argv[2]), '127.0.0.1');
const running = new Map<number, AbortController>();
const answer = (message: CliAnswer): void => void socket.write(`${JSON.stringify(message)}\n`);

const run = async (id: number, { args, env, columns }: Extract<CliRequest, { type: 'run' }>): Promise<void> => {
  const interrupt = new AbortController();
  running.set(id, interrupt);
  const exitCode = await runCli(args, {
    cwd: process.cwd(),
    env,
    stdout: { write: (text: string) => answer({ type: 'stdout', id, text }) },
    stderr: {
      write: (text: string) => answer({ type: 'stderr', id, text }),
      ...(columns !== undefined && { isTTY: true, columns }),
    },
    parts: sourceParts,
    readPolicy: async () => ({}),
    signal: interrupt.signal,
    onHang: () => {},
  });
  running.delete(id);
  answer({ type: 'exit', id, exitCode });
};

createInterface(socket).on('line', (line) => {
  const request: CliRequest = JSON.parse(line);
  if (request.type === 'run') void run(request.id, request);
  else running.get(request.id)?.abort();
});
// The connection ends when the tests have ended.
socket.on('close', () => process.exit());
