/**
 * The possible contents of a disk after a power cut (after ALICE, OSDI 2014). Flushed changes are on the disk. Any
 * part of the other changes may be there as well: writes in any order, even torn ones, and changes of names up to any
 * moment.
 */
import type { Random } from '../../src/sandbox/sample/sample-data.ts';
import { type DataChange, folderOf, type Operation } from './system-calls.ts';

/** Which changes that were not flushed are on the disk. `tornInBytes`: of each write, any blocks of this size. */
export type Loss = 'kept' | 'dropped' | { readonly tornInBytes: 512 | 4096 };

/**
 * Which changes of names are on the disk after a file was flushed. `journal`: all earlier ones, as with ext4, XFS, NTFS
 * and APFS; `alone`: none, because POSIX promises none.
 */
export type FileSystem = 'journal' | 'alone';

export type Cut = {
  /** The number of the last system call that had an effect. */
  readonly at: number;
  readonly loss: Loss;
  readonly fileSystem: FileSystem;
  /** Whether the disk confirms flushes that it does not make. With such a disk, the check has to find problems. */
  readonly lies?: boolean;
};

/** The contents of files by their paths, and the paths of folders. */
export type Content = { readonly files: ReadonlyMap<string, Buffer>; readonly folders: readonly string[] };

/** Returns the content of the disk after `cut`. `random` decides which unflushed changes are on it. */
export const contentAfter = (operations: readonly Operation[], cut: Cut, random: Random): Content => {
  const before = operations.filter(({ at }) => at <= cut.at);
  const isOver = ({ ended }: Operation): boolean => ended < cut.at;
  const flushes = cut.lies ? [] : before.filter((one) => /^flush/.test(one.type) && isOver(one));

  const names = before.filter(({ type }) => type === 'name' || type === 'rename' || type === 'folder');
  const isNameFlushed = (one: Operation): boolean =>
    flushes.some(
      (flush) =>
        flush.at > one.ended &&
        (flush.type === 'flush-folder'
          ? cut.fileSystem === 'journal' || ('path' in one && folderOf(one.path) === flush.path)
          : cut.fileSystem === 'journal'),
    );
  const places = new Map<string, number>();
  const folders: string[] = [];
  for (const one of keptNames(names, isNameFlushed, cut, random)) {
    if (one.type === 'folder') folders.push(one.path);
    else if (one.type === 'name' && one.inode !== undefined) places.set(one.path, one.inode);
    else if (one.type === 'name') places.delete(one.path);
    else if (one.type === 'rename') {
      const inode = places.get(one.path);
      places.delete(one.path);
      if (inode !== undefined) places.set(one.to, inode);
    }
  }
  const isThere = (path: string): boolean => folders.includes(folderOf(path));

  const changes = Map.groupBy(
    before.flatMap((one) => (one.type === 'data' ? [one] : [])),
    ({ inode }) => inode,
  );
  const dataOf = (inode: number): Buffer => {
    const own = flushes.filter((flush) => flush.type === 'flush' && flush.inode === inode);
    const flushed = Math.max(-1, ...own.map(({ at }) => at));
    const all = changes.get(inode) ?? [];
    const file = emptyFile(Math.max(0, ...all.map(({ change }) => endOf(change))));
    for (const { ended, change } of all)
      for (const part of ended < flushed ? [change] : partsOf(change, cut.loss, random)) file.apply(part);
    return file.content();
  };
  // Leaves out the files in folders that are lost.
  const found = [...places].filter(([path]) => isThere(path));
  return { files: new Map(found.map(([path, inode]) => [path, dataOf(inode)])), folders };
};

/**
 * Returns the changes of names that are on the disk: the first ones in each folder or, with a journal, the first ones
 * of all.
 */
const keptNames = (
  names: readonly Operation[],
  isFlushed: (one: Operation) => boolean,
  { loss, fileSystem }: Cut,
  random: Random,
): readonly Operation[] => {
  if (loss === 'kept') return names;
  // The change that creates the data directory is always kept: the app does not flush the folder that contains it.
  const kept = new Set(names.slice(0, 1));
  const groupOf = (one: Operation): string => (fileSystem === 'journal' || !('path' in one) ? '/' : folderOf(one.path));
  for (const all of Map.groupBy(names.slice(1), groupOf).values()) {
    const flushed = all.findLastIndex(isFlushed) + 1;
    for (const one of all.slice(0, loss === 'dropped' ? flushed : random.integer(flushed, all.length))) kept.add(one);
  }
  return names.filter((one) => kept.has(one));
};

const endOf = (change: DataChange): number =>
  change.type === 'truncate' ? change.length : change.from + change.bytes.length;

/** Creates an empty file that never becomes larger than `capacity` bytes. */
const emptyFile = (capacity: number) => {
  const bytes = Buffer.alloc(capacity);
  let length = 0;
  return {
    apply: (change: DataChange): void => {
      if (change.type === 'write') {
        bytes.set(change.bytes, change.from);
        length = Math.max(length, endOf(change));
      } else {
        bytes.fill(0, Math.min(change.length, length), length);
        length = change.length;
      }
    },
    content: (): Buffer => bytes.subarray(0, length),
  };
};

/** Returns the parts of an unflushed change that are on the disk. */
const partsOf = (change: DataChange, loss: Loss, random: Random): readonly DataChange[] => {
  if (loss === 'kept') return [change];
  if (loss === 'dropped') return [];
  if (change.type === 'truncate') return random.chance(0.5) ? [change] : [];
  const { from, bytes } = change;
  const parts: DataChange[] = [];
  for (let at = 0; at < bytes.length; ) {
    const next = Math.min(bytes.length, at + loss.tornInBytes - ((from + at) % loss.tornInBytes));
    if (random.chance(0.5)) parts.push({ type: 'write', from: from + at, bytes: bytes.subarray(at, next) });
    at = next;
  }
  return parts;
};
