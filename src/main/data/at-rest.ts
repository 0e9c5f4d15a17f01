import { sleep } from '../async/sleep.ts';

/** Node's names of file system requests. */
const FILE_WORK = /^(FSReq|FileHandleClose)/;

const POLL_MS = 20;

/**
 * Whether this thread's file operations, and `isBusy` if given, end within `graceMs`. Otherwise they wait for a drive
 * that does not answer and would keep the process from exiting, since Node joins its threads first.
 */
export const comesToRest = async (graceMs: number, isBusy = (): boolean => false): Promise<boolean> => {
  const isAtRest = (): boolean => !isBusy() && !process.getActiveResourcesInfo().some((name) => FILE_WORK.test(name));
  for (const untilMs = performance.now() + graceMs; performance.now() < untilMs; await sleep(POLL_MS))
    if (isAtRest()) return true;
  return isAtRest();
};
