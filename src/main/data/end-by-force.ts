/** How long hanging work may delay the end of a process after its data is closed. */
export const REST_MS = 2_000;

/**
 * Ends this process immediately, after everything is closed. `process.exit` would join its threads, and a thread in a
 * system call that does not return (a lost drive, a pipe) cannot be ended.
 */
export const endByForce = (exitCode: number): void => {
  try {
    // Replaces this process by a program that exits with this code. Not possible on Windows or in Electron.
    process.execve?.('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {});
  } catch {
    // Ends without the exit code.
  }
  process.kill(process.pid, 'SIGKILL');
};
