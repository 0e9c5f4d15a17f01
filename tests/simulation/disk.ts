/** A disk in memory: files, folders and links, with the facts that systems have of them. Each access takes a moment, and may fail. */
import { dirname, join } from 'node:path';
import type { Random } from '../../src/sandbox/sample/sample-data.ts';
import type { VirtualTime } from './virtual-time.ts';

type Node = {
  readonly number: bigint;
  /** Undefined: a folder. */
  content: Buffer | undefined;
  /** Of a link. */
  target?: string;
  modifiedNs: bigint;
  changedNs: bigint;
  readonly bornNs: bigint;
};

export type Disk = ReturnType<typeof createDisk>;

const failure = (code: string): Error => Object.assign(new Error(code), { code });

const MOST_LINKS = 8;

/** A disk with the folder `/`. `errorRate`: how often an access fails with an error that passes. */
export const createDisk = (time: VirtualTime, random: Random, errorRate: () => number) => {
  const nodes = new Map<string, Node>();
  const opened = new Map<number, { readonly node: Node; readonly path: string }>();
  let numbers = 0n;
  let fds = 100;
  let stamp = 0n;
  /** Never twice the same, so that each change can be told from the one before. */
  const nowNs = (): bigint => {
    stamp += 1_000n;
    return BigInt(Math.floor(time.wallNow())) * 1_000_000n + stamp;
  };
  const add = (path: string, content: Buffer | undefined, target?: string): void => {
    numbers += 1n;
    const at = nowNs();
    nodes.set(path, { number: numbers, content, modifiedNs: at, changedNs: at, bornNs: at, ...(target && { target }) });
  };
  add('/', undefined);

  /** The path without links. */
  const resolve = (path: string, followsLast: boolean, links = 0): string => {
    let real = '/';
    const parts = path.split('/').filter((part) => part !== '');
    for (const [at, part] of parts.entries()) {
      const next = join(real, part);
      const node = nodes.get(next);
      if (node === undefined) throw failure('ENOENT');
      const isLast = at === parts.length - 1;
      if (node.target !== undefined && (!isLast || followsLast)) {
        if (links >= MOST_LINKS) throw failure('ELOOP');
        return resolve(join(node.target, ...parts.slice(at + 1)), followsLast, links + 1);
      }
      if (!isLast && node.content !== undefined) throw failure('ENOTDIR');
      real = next;
    }
    return real;
  };
  const nodeAt = (path: string, followsLast: boolean): Node => {
    const node = nodes.get(resolve(path, followsLast));
    if (node === undefined) throw failure('ENOENT');
    return node;
  };
  const statsOfNode = ({ number, content, target, modifiedNs, changedNs, bornNs }: Node) => ({
    ...{ dev: 1n, ino: number, size: BigInt(content?.length ?? 0), blocks: 8n },
    ...{ mtimeNs: modifiedNs, ctimeNs: changedNs, birthtimeNs: bornNs },
    isFile: () => content !== undefined && target === undefined,
    isDirectory: () => content === undefined && target === undefined,
    isSymbolicLink: () => target !== undefined,
  });
  const openedAs = (fd: number) => {
    const found = opened.get(fd);
    if (found === undefined) throw failure('EBADF');
    return found;
  };

  const access = {
    stats: (path: string, follows: boolean) => statsOfNode(nodeAt(path, follows)),
    statsOf: (fd: number) => statsOfNode(openedAs(fd).node),
    realPath: (path: string): string => resolve(path, true),
    list: (path: string) => {
      const folder = resolve(path, true);
      if (nodes.get(folder)?.content !== undefined) throw failure('ENOTDIR');
      return [...nodes]
        .filter(([other]) => other !== '/' && dirname(other) === folder)
        .map(([other, node]) => ({ ...statsOfNode(node), name: other.slice(other.lastIndexOf('/') + 1) }));
    },
    open: (path: string): number => {
      const real = resolve(path, false);
      const node = nodeAt(real, false);
      if (node.target !== undefined) throw failure('ELOOP');
      fds += 1;
      opened.set(fds, { node, path: real });
      return fds;
    },
    read: (fd: number, into: Buffer, position: number): number => {
      const { content } = openedAs(fd).node;
      if (content === undefined) throw failure('EISDIR');
      return content.copy(into, 0, position, position + into.length);
    },
    close: (fd: number): void => void opened.delete(fd),
  };

  return {
    /** An access by the engine. */
    io: <T>(work: (of: typeof access) => T): Promise<T> =>
      time.later(random.chance(0.02) ? random.integer(1, 900) : random.integer(1, 400) / 1_000, () => {
        if (random.chance(errorRate())) throw failure(random.pick(['EBUSY', 'EIO', 'EACCES']));
        return work(access);
      }),
    pathOf: (fd: number): string => {
      const { path, node } = openedAs(fd);
      return nodes.get(path) === node ? path : `${path} (deleted)`;
    },
    // What people do.
    write: (path: string, content: string): void => {
      const parents: string[] = [];
      for (let at = dirname(path); !nodes.has(at); at = dirname(at)) parents.unshift(at);
      for (const parent of parents) add(parent, undefined);
      const node = nodes.get(path);
      if (node?.content === undefined) add(path, Buffer.from(content));
      else {
        node.content = Buffer.from(content);
        node.modifiedNs = nowNs();
        node.changedNs = node.modifiedNs;
      }
    },
    /** Another file in the place of the one at `path`, as programs save. */
    replace: (path: string, content: string): void => add(path, Buffer.from(content)),
    link: (path: string, target: string): void => add(path, Buffer.alloc(0), target),
    remove: (path: string): void => void nodes.delete(path),
    read: (path: string): string | undefined => nodes.get(path)?.content?.toString(),
    files: (folder: string): readonly string[] =>
      [...nodes].flatMap(([path, { content, target }]) =>
        path.startsWith(`${folder}/`) && content !== undefined && target === undefined
          ? [path.slice(folder.length + 1)]
          : [],
      ),
  };
};
