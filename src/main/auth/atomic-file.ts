import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * Replaces the file at `path` by `content`, readable for its owner only: after a crash it holds the old content or
 * the new, never a part. Makes the folder where it is missing. @throws the file system's error
 */
export const writeFileAtomically = async (path: string, content: Buffer): Promise<void> => {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await replace(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
};

/** Renames over `path`. On Windows a virus scanner or an indexer that has the file open makes that fail for a moment. */
const replace = async (temporary: string, path: string): Promise<void> => {
  for (let triesLeft = process.platform === 'win32' ? 10 : 1; ; triesLeft -= 1) {
    try {
      return await rename(temporary, path);
    } catch (error) {
      if (triesLeft <= 1) throw error;
      await setTimeout(50);
    }
  }
};

/** Makes the renaming durable too. Windows opens no folders, and keeps a renaming in its journal. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
