/** Files for people: whole, or not there. */
import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { DeskError } from '../contract/errors.ts';

/**
 * Has `write` write to a path beside `path`, and puts it in the place of `path` when that is done. Errors:
 * `data/unwritable`, and the `DeskError`s of `write`.
 */
export const writeWhole = async (path: string, write: (unfinished: string) => Promise<void>): Promise<void> => {
  const unfinished = `${path}.${randomUUID()}.part`;
  try {
    await write(unfinished);
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true });
    if (cause instanceof DeskError) throw cause;
    throw new DeskError('data/unwritable', 'the file cannot be written', { details: { path }, cause });
  }
};
