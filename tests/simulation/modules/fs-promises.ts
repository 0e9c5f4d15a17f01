/** `node:fs/promises` on the disk of the history. */
import { present } from '../present.ts';

export * from 'node:fs/promises';

type Options = { readonly bigint?: boolean };

export const lstat = (path: string, _options?: Options) => present().disk.io((disk) => disk.stats(path, false));
export const stat = (path: string, _options?: Options) => present().disk.io((disk) => disk.stats(path, true));
export const realpath = (path: string) => present().disk.io((disk) => disk.realPath(path));
export const opendir = async (path: string) => {
  const entries = await present().disk.io((disk) => disk.list(path));
  return {
    close: async () => {},
    async *[Symbol.asyncIterator]() {
      yield* entries;
    },
  };
};
export const open = async (path: string, _flags: number) => {
  const { disk } = present();
  const fd = await disk.io((it) => it.open(path));
  return {
    fd,
    stat: () => disk.io((it) => it.statsOf(fd)),
    read: (into: Buffer, offset: number, length: number, position: number) =>
      disk.io((it) => ({ bytesRead: it.read(fd, into.subarray(offset, offset + length), position), buffer: into })),
    close: () => disk.io((it) => it.close(fd)),
  };
};
