/** Opens the log, and says where it cannot be written. */
import { join } from 'node:path';
import { DeskError } from '../../../contract/errors.ts';
import { createLog, type Log } from './log.ts';

/** The log of the data directory. Errors: `data/unwritable`. */
export const openLog = (home: string): Log => {
  try {
    return createLog(home);
  } catch (cause) {
    const details = { path: join(home, 'logs') };
    throw new DeskError('data/unwritable', 'the log cannot be written', { details, cause });
  }
};
