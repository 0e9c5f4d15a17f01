/** Replaces files atomically: after a crash the file has the old content or the new, never a part. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DeskError } from '../../contract/errors.ts';

/**
 * Lets `write` create a file beside `path`, and replaces `path` by it once it is on disk. Errors:
 * `data/unwritable`, and the `DeskError`s of `write`.
 */
export const replaceFile = async (path: string, write: (temporary: string) => Promise<void>): Promise<void> => {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await write(temporary);
    await sync(temporary, 'r+');
    await renameOver(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    if (cause instanceof DeskError) throw cause;
    throw new DeskError('data/unwritable', 'the file cannot be written', { details: { path }, cause });
  }
  // Makes the rename durable too, on systems that can open folders.
  await sync(dirname(path), 'r').catch(() => {});
};

/** On Windows a rename fails briefly while a virus scanner or an indexer has the file open. */
const renameOver = async (temporary: string, path: string): Promise<void> => {
  for (let triesLeft = process.platform === 'win32' ? 10 : 1; ; triesLeft -= 1) {
    try {
      return await rename(temporary, path);
    } catch (error) {
      if (triesLeft <= 1) throw error;
      await setTimeout(50);
    }
  }
};

const sync = async (path: string, flags: 'r' | 'r+'): Promise<void> => {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
