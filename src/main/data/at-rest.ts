import { sleep } from '../async/sleep.ts';

/** Node's names for what it waits for at a file system. */
const FILE_WORK = /^(FSReq|FileHandleClose)/;

const POLL_MS = 20;

/**
 * Whether all work on files that this thread began, and `isBusy` where given, ends within `graceMs`. What does not
 * waits for a drive that answers no more, and would keep the process from ending: Node joins its threads first.
 */
export const comesToRest = async (graceMs: number, isBusy = (): boolean => false): Promise<boolean> => {
  const isAtRest = (): boolean => !isBusy() && !process.getActiveResourcesInfo().some((name) => FILE_WORK.test(name));
  for (const untilMs = performance.now() + graceMs; performance.now() < untilMs; await sleep(POLL_MS))
    if (isAtRest()) return true;
  return isAtRest();
};
