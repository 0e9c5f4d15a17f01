/** The embedded sandbox in a utility process, which ends with the app. */
import { utilityProcess } from 'electron';
import { createStartSample } from '../shared/sample-service.ts';
import { builtPath } from './built-path.ts';

/** Starts the sandbox with its state in `stateDir`. Only after Electron is ready. */
export const forkSample = createStartSample((flags) => {
  const child = utilityProcess.fork(builtPath('main/sandbox.js'), [...flags], {
    serviceName: 'Sample service',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const { stdout } = child;
  if (stdout === null) throw new Error('a piped standard output is there');
  return { stdout, ended, stop: () => void child.kill() };
});
