/** How long a process or worker that ends waits for work that hangs. */
export const REST_MS = 2_000;

/**
 * Ends this process immediately, without closing anything. `process.exit` would wait for the process's threads, and a
 * thread in a system call that does not return (a lost drive, a pipe) cannot be ended.
 */
export const endByForce = (exitCode: number): void => {
  try {
    // Replaces this process by a shell that exits with `exitCode`. Not possible on Windows or in Electron.
    process.execve?.('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {});
  } catch {
    // The process is then killed, and its exit code is not `exitCode`.
  }
  process.kill(process.pid, 'SIGKILL');
};
