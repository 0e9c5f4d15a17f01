/** The embedded sandbox as a child process of Node, for the hosts without Electron. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createStartSample } from './sample-service.ts';

const sandbox = fileURLToPath(new URL('../../../sandbox/main.ts', import.meta.url));

/** Starts the sandbox with its state in `stateDir`; it ends with this process, however that ends. */
export const spawnSample = createStartSample((flags) => {
  // The open standard input is the lifeline: it closes even when this process is killed.
  const child = spawn(process.execPath, [sandbox, ...flags, '--parent-stdin'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(
    () => undefined,
    () => undefined,
  );
  return { stdout: child.stdout, ended, stop: () => void child.stdin.end() };
});
