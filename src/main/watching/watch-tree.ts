/**
 * Hints that something changed below a folder. They may be late, repeated or missing, so they only make a scan happen
 * earlier. See docs/adr on watched folders.
 */
import { watch } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../async/error-code.ts';

export type TreeWatch = {
  /** To be called with each folder below the root before it is read. */
  readonly addFolder: (path: string) => void;
  readonly close: () => void;
};

type TreeWatchOptions = {
  readonly root: string;
  /** Something changed at that path; undefined: somewhere below the root. */
  readonly onHint: (path: string | undefined) => void;
  /** No more hints will come. The error is the system's; ENOSPC and EMFILE: it watches as much as it can. */
  readonly onError: (error: unknown) => void;
  readonly platform?: NodeJS.Platform;
  readonly watchFolder?: typeof watch;
};

/** Watches one folder, or with `recursive` everything below it, until it is closed or has failed. */
type Watch = { readonly close: () => void };

/**
 * Windows and macOS watch a tree with one handle. Linux watches single folders: those that `addFolder` names, again each
 * time, because a folder may be a new one at the same path.
 */
export const watchTree = (options: TreeWatchOptions): TreeWatch => {
  const { root, onHint, onError, platform = process.platform, watchFolder = watch } = options;
  const isRecursive = platform === 'win32' || platform === 'darwin';
  const watches = new Map<string, Watch>();
  let closed = false;

  const close = (): void => {
    closed = true;
    for (const one of watches.values()) one.close();
    watches.clear();
  };
  const fail = (error: unknown): void => {
    if (closed) return;
    close();
    onError(error);
  };
  const add = (folder: string): void => {
    if (closed) return;
    try {
      const one = watchFolder(folder, { persistent: false, recursive: isRecursive }, (_, name) =>
        onHint(name === null ? undefined : join(folder, name)),
      );
      one.on('error', (error) => {
        // A single folder that is deleted ends its watch on some systems. Its parent reports that.
        if (isRecursive || isLimit(error)) fail(error);
        else one.close();
      });
      watches.get(folder)?.close();
      watches.set(folder, one);
    } catch (error) {
      if (isRecursive || isLimit(error)) fail(error);
    }
  };

  if (isRecursive) add(root);
  return { addFolder: isRecursive ? () => {} : add, close };
};

/** Whether the system has no more watches or handles to give. */
export const isLimit = (error: unknown): boolean => ['ENOSPC', 'EMFILE', 'ENFILE'].includes(codeOf(error) ?? '');

/** The types of network file systems on Linux: NFS, SMB, CIFS, SMB 2, 9P; and FUSE, which many of them use. */
const NETWORK_TYPES: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546]);

/**
 * Whether other computers may change the folder without a hint: on a network, and on macOS on any volume that was
 * mounted. Windows passes hints of a mapped drive on, but not reliably those of a path on a server.
 */
export const mayChangeUnseen = async (root: string, platform: NodeJS.Platform = process.platform): Promise<boolean> => {
  if (platform === 'win32') return /^[\\/]{2}(?![?.][\\/](?!UNC))/i.test(root);
  if (platform === 'darwin') return root.startsWith('/Volumes/');
  const { type } = await statfs(root).catch(() => ({ type: 0 }));
  return NETWORK_TYPES.has(type);
};
