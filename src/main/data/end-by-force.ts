import { sleep } from '../async/clock.ts';

/**
 * How long a process or worker waits for its file operations before it ends. A disk that is busy can take seconds for a
 * flush, and a lost drive never finishes a read.
 */
export const REST_MS = 5_000;

const FILE_WORK = /^(FSReq|FileHandleClose)/;

const POLL_MS = 20;

/**
 * Waits up to `REST_MS` until this thread has no pending file operations and `isBusy` returns false. Resolves to false
 * if the time runs out. A drive then probably does not respond, and Node could not exit, because it waits for its file
 * operations.
 */
export const comesToRest = async (isBusy = (): boolean => false): Promise<boolean> => {
  const isAtRest = (): boolean => !isBusy() && !process.getActiveResourcesInfo().some((name) => FILE_WORK.test(name));
  for (const untilMs = performance.now() + REST_MS; performance.now() < untilMs; await sleep(POLL_MS))
    if (isAtRest()) return true;
  return isAtRest();
};

/**
 * Ends this process immediately, without closing anything. `process.exit` would wait for the process's threads, and a
 * thread whose system call never returns (a lost drive, a pipe) cannot be ended.
 */
export const endByForce = (exitCode: number): void => {
  try {
    // Replaces this process with a shell that exits with `exitCode`. Windows and Electron do not support that.
    process.execve?.('/bin/sh', ['sh', '-c', `exit ${exitCode}`], {});
  } catch {
    // The process is killed below. Its exit code then differs from `exitCode`.
  }
  process.kill(process.pid, 'SIGKILL');
};
