/** Replaces the synchronous functions of `node:fs` that the app uses with the disk of the history. */
import { EventEmitter } from 'node:events';
import { present } from '../present.ts';

export * from 'node:fs';
export { default } from 'node:fs';

type Options = { readonly bigint?: boolean; readonly throwIfNoEntry?: boolean };
type Mode = { readonly mode?: number };
type Flags = 'r' | 'r+' | 'a' | 'w' | 'wx' | number;

const now = () => present().disk.access;
const NS_PER_MS = 1_000_000n;

type Stats = ReturnType<ReturnType<typeof now>['stats']>;

/** Converts the bigints of the facts to numbers. */
const plain = ({ mtimeNs, dev, ino, size, uid, mode, ...is }: Stats) => ({
  ...is,
  dev: Number(dev),
  ino: Number(ino),
  size: Number(size),
  uid: Number(uid),
  mode: Number(mode),
  mtimeMs: Number(mtimeNs / NS_PER_MS),
});
const statSyncOf =
  (follows: boolean) =>
  (path: string, { bigint = false, throwIfNoEntry = true }: Options = {}) => {
    if (!throwIfNoEntry && !now().exists(path)) return undefined;
    const stats = present().disk.ioNow((disk) => disk.stats(path, follows), path);
    return bigint ? stats : plain(stats);
  };

export const lettersOf = (flags: Flags | undefined) => (typeof flags === 'string' ? flags : 'r');

export const statSync = statSyncOf(true);
export const lstatSync = statSyncOf(false);
export const fstatSync = (fd: number, { bigint = false }: Options = {}) =>
  bigint ? now().statsOf(fd) : plain(now().statsOf(fd));
/** The simulation's databases (`sqlite.ts`) are in memory, so no files exist next to them. */
export const existsSync = (path: string): boolean =>
  path !== ':memory:' && !/\.sqlite-\w+$/.test(path) && now().exists(path);
export const readlinkSync = (path: string): string => present().disk.pathOf(Number(path.split('/').at(-1)));
export const realpathSync = Object.assign((path: string): string => now().realPath(path), {
  native: (path: string): string => now().realPath(path),
});
export const readdirSync = (path: string): readonly string[] =>
  now()
    .list(path)
    .map(({ name }) => name);
/** Returns an open folder with the entries that it had when it was opened. */
export const openedFolder = (entries: ReturnType<ReturnType<typeof now>['list']>) => {
  const left = entries.values();
  const readSync = () => left.next().value ?? null;
  return { readSync, read: async () => readSync(), closeSync: () => {}, close: async () => {} };
};
export const opendirSync = (path: string) => openedFolder(present().disk.ioNow((disk) => disk.list(path), path));
export const mkdirSync = (path: string, { mode }: Mode = {}): string | undefined => now().makeFolder(path, mode);
export const chmodSync = (path: string, mode: number): void => now().setMode(path, mode);
/** Opens a file. A write-ahead log is created if it is missing, because databases are in memory. */
export const openSync = (path: string, flags?: Flags, mode?: number): number =>
  now().open(path, path.endsWith('-wal') ? 'a' : lettersOf(flags), mode);
export const closeSync = (fd: number): void => now().close(fd);
export const readSync = (fd: number, into: Uint8Array, offset: number, length: number, position: number): number =>
  now().read(fd, into.subarray(offset, offset + length), position);
export const writeSync = (fd: number, part: string | Buffer, from = 0, length?: number, position?: number): number =>
  now().write(
    fd,
    typeof part === 'string' ? Buffer.from(part) : part.subarray(from, from + (length ?? part.length)),
    position,
  );
export const readFileSync = (path: string): string => present().disk.read(path) ?? '';
export const truncateSync = (path: string): void => now().close(now().open(path, 'w'));
export const renameSync = (from: string, to: string): void => now().rename(from, to);
export const rmSync = (path: string, { force = false }: { readonly force?: boolean } = {}): void =>
  now().remove(path, force);
export const fsyncSync = (): void => {};
export const fdatasync = (_fd: number, done: (error: Error | null) => void): void =>
  void present()
    .disk.io(() => {}, '/home/')
    .then(() => done(null));
export const watch = (
  folder: string,
  _options: unknown,
  listener: (event: string, name: string) => void,
): EventEmitter & { readonly close: () => void } =>
  Object.assign(new EventEmitter(), { close: now().watch(folder, (name) => listener('change', name)) });
