/**
 * A disk in memory with files, folders and links, and with the facts that systems have about them. Accesses by `io`
 * take some time, and may fail. The data directories of simulated computers, below `/home`, fail only when the disk is
 * full.
 */
import { dirname, join } from 'node:path';
import type { Random } from '../../src/sandbox/sample/sample-data.ts';
import type { Process, VirtualTime } from './virtual-time.ts';

type Node = {
  readonly number: bigint;
  /** Undefined for a folder. */
  content: Buffer | undefined;
  /** The target of a link. */
  target?: string;
  mode: number;
  modifiedNs: bigint;
  changedNs: bigint;
  readonly bornNs: bigint;
};

export type Disk = ReturnType<typeof createDisk>;

export const failure = (code: string): Error => Object.assign(new Error(code), { code });

const MOST_LINKS = 8;
const [FOLDER, FILE, LINK] = [0o040_000, 0o100_000, 0o120_000];
const HOMES = '/home/';

type DiskOptions = {
  /** Returns the probability that an access fails with a temporary error. */
  readonly errorRate: () => number;
  /** Whether the data directories are full. */
  readonly isFull?: () => boolean;
  /** The share of hints about changes that are lost. */
  readonly lostHints?: number;
};

/** Creates a disk with the folder `/`. */
export const createDisk = (
  time: VirtualTime,
  random: Random,
  { errorRate, isFull = () => false, lostHints = 0 }: DiskOptions,
) => {
  const nodes = new Map<string, Node>();
  const opened = new Map<number, { readonly node: Node; readonly path: string; readonly appends: boolean }>();
  const watches = new Map<
    string,
    Set<{ readonly process: Process | undefined; readonly hint: (name: string) => void }>
  >();
  /** Files that another program has locked. */
  const locked = new Set<string>();
  /** The share of accesses that take long, such as those to a share on a busy server. */
  const slowRate = random.pick([0.02, 0.02, 0.3]);
  let numbers = 0n;
  let fds = 100;
  let stamp = 0n;
  /** Returns a different time on every call, so that each change can be distinguished from the one before. */
  const nowNs = (): bigint => {
    stamp += 1_000n;
    return BigInt(Math.floor(time.wallNow())) * 1_000_000n + stamp;
  };
  const add = (path: string, content: Buffer | undefined, { target, mode = 0o755 }: Partial<Node> = {}): Node => {
    numbers += 1n;
    const at = nowNs();
    const node = {
      number: numbers,
      content,
      mode,
      modifiedNs: at,
      changedNs: at,
      bornNs: at,
      ...(target && { target }),
    };
    nodes.set(path, node);
    return node;
  };
  add('/', undefined);

  /** Returns the path after following its links. */
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
  const statsOfNode = ({ number, content, target, mode, modifiedNs, changedNs, bornNs }: Node) => ({
    dev: 1n,
    ino: number,
    size: BigInt(content?.length ?? 0),
    blocks: 8n,
    uid: BigInt(process.getuid?.() ?? 0),
    mtimeNs: modifiedNs,
    ctimeNs: changedNs,
    birthtimeNs: bornNs,
    mode: BigInt(mode | (target !== undefined ? LINK : content === undefined ? FOLDER : FILE)),
    isFile: () => content !== undefined && target === undefined,
    isDirectory: () => content === undefined && target === undefined,
    isSymbolicLink: () => target !== undefined,
  });
  const openedAs = (fd: number) => {
    const found = opened.get(fd);
    if (found === undefined) throw failure('EBADF');
    return found;
  };
  const assertRoom = (path: string): void => {
    if (path.startsWith(HOMES) && isFull()) throw failure('ENOSPC');
  };
  const setContent = (node: Node, content: Buffer): void => {
    node.content = content;
    node.modifiedNs = nowNs();
    node.changedNs = node.modifiedNs;
  };
  /** Sends a hint to the watches of the folder that contains `path`, unless the hint is lost. */
  const hint = (path: string): void => {
    for (const { process, hint: tell } of watches.get(dirname(path)) ?? [])
      if (process && !random.chance(lostHints))
        time.inside(process, () =>
          time.after(random.integer(1, 200), () => tell(path.slice(path.lastIndexOf('/') + 1))),
        );
  };

  const access = {
    stats: (path: string, follows: boolean) => statsOfNode(nodeAt(path, follows)),
    statsOf: (fd: number) => statsOfNode(openedAs(fd).node),
    exists: (path: string): boolean => nodes.has(path),
    realPath: (path: string): string => resolve(path, true),
    list: (path: string) => {
      const folder = resolve(path, true);
      if (nodes.get(folder)?.content !== undefined) throw failure('ENOTDIR');
      return [...nodes]
        .filter(([other]) => other !== '/' && dirname(other) === folder)
        .map(([other, node]) => ({ ...statsOfNode(node), name: other.slice(other.lastIndexOf('/') + 1) }));
    },
    /** Opens a file. `how`: the flags of Node's `open`. */
    open: (path: string, how: 'r' | 'r+' | 'a' | 'w' | 'wx' = 'r', mode = 0o644): number => {
      if (locked.has(path)) throw failure('EBUSY');
      const isMade = how !== 'r' && how !== 'r+' && !nodes.has(path);
      if (how === 'wx' && nodes.has(path)) throw failure('EEXIST');
      if (isMade) {
        assertRoom(path);
        if (!nodes.has(dirname(path))) throw failure('ENOENT');
        add(path, Buffer.alloc(0), { mode });
      }
      const real = resolve(path, false);
      const node = nodeAt(real, false);
      if (node.target !== undefined) throw failure('ELOOP');
      if (how === 'w') setContent(node, Buffer.alloc(0));
      fds += 1;
      opened.set(fds, { node, path: real, appends: how === 'a' });
      return fds;
    },
    read: (fd: number, into: Uint8Array, position: number): number => {
      const { content } = openedAs(fd).node;
      if (content === undefined) throw failure('EISDIR');
      return content.copy(into, 0, position, position + into.length);
    },
    write: (fd: number, part: Buffer, position?: number): number => {
      const { node, path } = openedAs(fd);
      assertRoom(path);
      const { content = Buffer.alloc(0) } = node;
      const at = position ?? content.length;
      const next = Buffer.alloc(Math.max(content.length, at + part.length));
      content.copy(next);
      part.copy(next, at);
      setContent(node, next);
      return part.length;
    },
    close: (fd: number): void => void opened.delete(fd),
    /** Creates a folder and the missing folders above it. Returns the first folder that was created, if any. */
    makeFolder: (path: string, mode = 0o755): string | undefined => {
      const missing: string[] = [];
      for (let at = path; !nodes.has(at); at = dirname(at)) missing.unshift(at);
      if (missing.length > 0) assertRoom(path);
      for (const folder of missing) add(folder, undefined, { mode });
      return missing[0];
    },
    setMode: (path: string, mode: number): void => {
      nodeAt(path, true).mode = mode;
    },
    rename: (from: string, to: string): void => {
      const node = nodeAt(from, false);
      node.changedNs = nowNs();
      nodes.delete(from);
      nodes.set(to, node);
    },
    remove: (path: string, isForced: boolean): void => {
      if (!nodes.delete(path) && !isForced) throw failure('ENOENT');
    },
    watch: (folder: string, listener: (name: string) => void): (() => void) => {
      nodeAt(folder, true);
      const all = watches.get(folder) ?? new Set();
      watches.set(folder, all);
      const one = { process: time.process(), hint: listener };
      all.add(one);
      return () => void all.delete(one);
    },
  };

  const ioNow = <T>(work: (of: typeof access) => T, path: string): T => {
    if (!path.startsWith(HOMES) && random.chance(errorRate())) throw failure(random.pick(['EBUSY', 'EIO', 'EACCES']));
    return work(access);
  };

  return {
    /** Makes an access that takes some time. `path`: the accessed file or folder, if it is known. */
    io: <T>(work: (of: typeof access) => T, path = ''): Promise<T> =>
      time.later(random.chance(slowRate) ? random.integer(1, 900) : random.integer(1, 400) / 1_000, () =>
        ioNow(work, path),
      ),
    /** Makes an access immediately. It can fail, like those of `io`. */
    ioNow,
    /** The same accesses, immediate and without random errors. */
    access,
    isFull,
    pathOf: (fd: number): string => {
      const { path, node } = openedAs(fd);
      return nodes.get(path) === node ? path : `${path} (deleted)`;
    },
    // Changes that users and other programs make.
    write: (path: string, content: string): void => {
      access.makeFolder(dirname(path));
      const node = nodes.get(path);
      if (node?.content === undefined) add(path, Buffer.from(content));
      else setContent(node, Buffer.from(content));
      hint(path);
    },
    /** Replaces the file at `path` with another one, as programs do when they save. */
    replace: (path: string, content: string): void => {
      access.makeFolder(dirname(path));
      add(path, Buffer.from(content));
      hint(path);
    },
    rename: (from: string, to: string): void => {
      access.makeFolder(dirname(to));
      access.rename(from, to);
      hint(from);
      hint(to);
    },
    link: (path: string, target: string): void => void add(path, Buffer.alloc(0), { target }),
    remove: (path: string): void => void nodes.delete(path),
    lock: (path: string): void => void locked.add(path),
    unlock: (path: string): void => void locked.delete(path),
    read: (path: string): string | undefined => nodes.get(path)?.content?.toString(),
    files: (folder: string): readonly string[] =>
      [...nodes].flatMap(([path, { content, target }]) =>
        path.startsWith(`${folder}/`) && content !== undefined && target === undefined
          ? [path.slice(folder.length + 1)]
          : [],
      ),
  };
};
