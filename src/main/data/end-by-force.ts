/** How long a process or worker that ends waits for work that hangs, such as reads from a lost drive. */
export const REST_MS = 2_000;

/**
 * Ends this process immediately, without closing anything. `process.exit` would wait for the process's threads, and a
 * thread whose system call never returns (a lost drive, a pipe) cannot be ended.
 */
export const endByForce = (exitCode: number): void => {
  try {
    // Replaces this process by a shell that exits with `exitCode`. Windows and Electron do not support that.
    process.execve?.('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {});
  } catch {
    // The process is killed below. Its exit code then differs from `exitCode`.
  }
  process.kill(process.pid, 'SIGKILL');
};
