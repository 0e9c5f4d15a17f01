/** Replaces `node:fs/promises` with the disk of the history. */
import { Readable } from 'node:stream';
import { failure } from '../disk.ts';
import { present } from '../present.ts';
import { lettersOf, openedFolder } from './fs.ts';

export * from 'node:fs/promises';

type Options = { readonly bigint?: boolean };
type Io = Parameters<ReturnType<typeof present>['disk']['io']>[0];
const on = <T>(path: string, work: (disk: Parameters<Io>[0]) => T): Promise<T> => present().disk.io(work, path);

export const lstat = (path: string, _options?: Options) => on(path, (disk) => disk.stats(path, false));
export const stat = (path: string, _options?: Options) => on(path, (disk) => disk.stats(path, true));
export const realpath = (path: string) => on(path, (disk) => disk.realPath(path));
/**
 * Returns the type of the file system. Below `/office/share`, it can be an NFS drive, which other computers change
 * unseen.
 */
export const statfs = async (path: string) => ({ type: path.startsWith('/office/share') ? present().shareType : 0 });
export const opendir = (path: string) => on(path, (disk) => openedFolder(disk.list(path)));
export const open = async (path: string, flags?: 'r' | 'r+' | number) => {
  const { disk } = present();
  const fd = await on(path, (it) => it.open(path, lettersOf(flags)));
  const io = <T>(work: Parameters<typeof on<T>>[1]): Promise<T> => on(path, work);
  const close = () => io((it) => it.close(fd));
  return {
    fd,
    stat: () => io((it) => it.statsOf(fd)),
    read: (into: Buffer, offset: number, length: number, position: number) =>
      io((it) => ({ bytesRead: it.read(fd, into.subarray(offset, offset + length), position), buffer: into })),
    createReadStream: () => Readable.from([Buffer.from(disk.read(path) ?? '')]),
    sync: () => io(() => {}),
    close,
    [Symbol.asyncDispose]: close,
  };
};
export const readFile = (path: string) =>
  on(path, (it) => {
    if (!it.exists(path)) throw failure('ENOENT');
    const into = Buffer.alloc(Number(it.stats(path, true).size));
    const fd = it.open(path);
    it.read(fd, into, 0);
    it.close(fd);
    return into;
  });
export const writeFile = (
  path: string,
  content: string | Uint8Array,
  { flag = 'w' }: { readonly flag?: 'w' | 'wx' } = {},
) =>
  on(path, (it) => {
    const fd = it.open(path, flag);
    try {
      it.write(fd, Buffer.from(content as Uint8Array), 0);
    } finally {
      it.close(fd);
    }
  });
export const rename = (from: string, to: string) => on(from, (it) => it.rename(from, to));
export const rm = (path: string, { force = false }: { readonly force?: boolean } = {}) =>
  on(path, (it) => it.remove(path, force));
