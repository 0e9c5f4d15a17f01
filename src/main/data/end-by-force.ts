/** How long work that hangs may hold up the end of a process whose data is closed. */
export const REST_MS = 2_000;

/**
 * Ends this process at once, whatever its threads wait for. `process.exit` would join them, and a thread in a system
 * call that does not return (a drive that has gone, a pipe) cannot be ended. For when everything is closed.
 */
export const endByForce = (exitCode: number): void => {
  try {
    // A program that does nothing but end with this code takes the place of this one. Not on Windows, nor in Electron.
    process.execve?.('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {});
  } catch {
    // Then without the code.
  }
  process.kill(process.pid, 'SIGKILL');
};
