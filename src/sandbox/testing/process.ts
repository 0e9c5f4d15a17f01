import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from '../server.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/**
 * The time that the sandbox is given to end before it is killed. In rare cases a Node process never ends
 * (nodejs/node#54918).
 */
const END_MS = 10_000;

/** Starts a sandbox with consent `auto` and additional flags. It ends with this process. */
export const spawnSandbox = async (...flags: readonly string[]): Promise<Sandbox> => {
  const args = [main, '--consent', 'auto', '--parent-stdin', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const [line] = await Promise.race([once(lines, 'line'), ended]);
  if (typeof line !== 'string') throw new Error(`the sandbox ended: ${line}`);
  const { type: _, ...address } = JSON.parse(line);
  return {
    ...address,
    close: async () => {
      child.stdin.end();
      const overdue = setTimeout(() => child.kill('SIGKILL'), END_MS);
      await ended;
      clearTimeout(overdue);
    },
  };
};
