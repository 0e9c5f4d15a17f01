/**
 * The system calls by which a program changes files, recorded by strace on Linux, in order. Changes of mapped memory
 * are not recorded. The only mapped files are SQLite's shared-memory indexes, which SQLite rebuilds when it opens a
 * database.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** `at`: the number of the call; `ended`: the number of the last call that had begun before this one returned. */
type Moment = { readonly at: number; readonly ended: number };

/** Bytes that were written, or a new length in bytes. */
export type DataChange =
  | { readonly type: 'write'; readonly from: number; readonly bytes: Buffer }
  | { readonly type: 'truncate'; readonly length: number };

/** `inode`: distinguishes files that had the same name one after another. Folders have none. */
export type Operation = Moment &
  (
    | { readonly type: 'data'; readonly inode: number; readonly change: DataChange }
    | { readonly type: 'name'; readonly path: string; readonly inode: number | undefined }
    | { readonly type: 'folder'; readonly path: string }
    | { readonly type: 'rename'; readonly path: string; readonly to: string }
    | { readonly type: 'flush'; readonly inode: number }
    | { readonly type: 'flush-folder'; readonly path: string }
  );

const CALLS = [
  ...[
    'openat',
    'open',
    'creat',
    'write',
    'writev',
    'pwrite64',
    'pwritev',
    'ftruncate',
    'truncate',
    'fallocate',
    'lseek',
  ],
  ...[
    'fsync',
    'fdatasync',
    'rename',
    'renameat',
    'renameat2',
    'unlink',
    'unlinkat',
    'rmdir',
    'mkdir',
    'mkdirat',
    'link',
  ],
  ...['linkat', 'symlink', 'symlinkat', 'copy_file_range', 'sendfile'],
];

/**
 * Runs `command`. Resolves to its changes below the folders `roots`, which have to be empty. Rejects if the command
 * fails.
 */
export const recordCalls = async (
  command: readonly string[],
  { log, roots }: { readonly log: string; readonly roots: readonly string[] },
): Promise<readonly Operation[]> => {
  const tracing = ['-f', '-y', '-xx', '-s', '100000000', '--seccomp-bpf', '-e', 'signal=none'];
  const child = spawn('strace', [...tracing, '-e', `trace=${CALLS.join(',')}`, '-o', log, ...command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    // Without this setting, threads of the kernel may access files without a system call.
    env: { ...process.env, UV_USE_IO_URING: '0' },
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the recorded program ended with ${code}`);
  return operationsIn(readFileSync(log, 'latin1'), roots);
};

type Call = Moment & { readonly name: string; readonly args: string; readonly result: number };

/**
 * Returns the successful calls in the order in which they began. Calls that open a file are ordered by their return,
 * because another file may have had the number of the descriptor before.
 */
const callsIn = (log: string): readonly Call[] => {
  const calls: Call[] = [];
  const begun = new Map<string, { readonly at: number; readonly args: string }>();
  let at = 0;
  const end = (call: Call): void => void (call.result >= 0 && calls.push(call));
  for (const line of log.split('\n')) {
    const [, id = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, resumed, more = '', late] = /^<\.\.\. (\w+) resumed>(.*)\) += (-?\d+)/.exec(text) ?? [];
    if (resumed !== undefined) {
      const first = begun.get(id);
      begun.delete(id);
      if (first) end({ name: resumed, args: first.args + more, result: Number(late), at: first.at, ended: at });
      continue;
    }
    const [, name, args = '', rest = ''] = /^(\w+)\((.*?)(<unfinished \.\.\.>|\) += -?\d+.*)$/.exec(text) ?? [];
    if (name === undefined) continue;
    at += 1;
    if (rest.startsWith('<unfinished')) begun.set(id, { at, args });
    else end({ name, args, result: Number(/-?\d+/.exec(rest)?.[0]), at, ended: at });
  }
  const placeOf = ({ name, at, ended }: Call): number => (name === 'openat' ? ended : at);
  return calls.sort((one, other) => placeOf(one) - placeOf(other));
};

const bytesOf = (escaped: string): Buffer => Buffer.from(escaped.replaceAll('\\x', ''), 'hex');
const QUOTED = /"((?:\\x[0-9a-f]{2})*)"/g;
const quotedIn = (args: string): readonly Buffer[] => [...args.matchAll(QUOTED)].map(([, text = '']) => bytesOf(text));
/** Returns the number and the path of the first file descriptor. */
const fileOf = (args: string): { readonly fd: number; readonly path: string } => {
  const [, fd = '-1', path = ''] = /^(\d+)<((?:\\x[0-9a-f]{2})*)>/.exec(args) ?? [];
  return { fd: Number(fd), path: bytesOf(path).toString() };
};
const numbersBehind = (args: string): readonly number[] =>
  args
    .replaceAll(QUOTED, '')
    .replaceAll(/<[^>]*>/g, '')
    .split(',')
    .map((part) => Number(part.trim()));

/** Returns the changes below `roots` in a log of strace. */
export const operationsIn = (log: string, roots: readonly string[]): readonly Operation[] => {
  const operations: Operation[] = [];
  const inodes = new Map<string, number>();
  const lengths = new Map<number, number>();
  /** The file of each descriptor, and the position of its next `write`. */
  const opened = new Map<number, { readonly inode: number; readonly appends: boolean; next: number }>();
  let files = 0;
  const isInside = (path: string): boolean => roots.some((root) => path === root || path.startsWith(`${root}/`));

  const writeAt = (moment: Moment, inode: number, from: number, bytes: Buffer): void => {
    lengths.set(inode, Math.max(lengths.get(inode) ?? 0, from + bytes.length));
    operations.push({ ...moment, type: 'data', inode, change: { type: 'write', from, bytes } });
  };
  const truncate = (moment: Moment, inode: number, length: number): void => {
    lengths.set(inode, length);
    operations.push({ ...moment, type: 'data', inode, change: { type: 'truncate', length } });
  };
  const open = (moment: Moment, path: string, args: string, fd: number): void => {
    let inode = inodes.get(path);
    if (inode === undefined && args.includes('O_CREAT')) {
      files += 1;
      inode = files;
      inodes.set(path, inode);
      operations.push({ ...moment, type: 'name', path, inode });
    } else if (inode !== undefined && args.includes('O_TRUNC') && (lengths.get(inode) ?? 0) > 0)
      truncate(moment, inode, 0);
    if (inode !== undefined) opened.set(fd, { inode, appends: args.includes('O_APPEND'), next: 0 });
  };
  const write = (moment: Moment, fd: number, bytes: Buffer): void => {
    const file = opened.get(fd);
    if (file === undefined) throw new Error(`write to ${fd}, which was not opened`);
    const from = file.appends ? (lengths.get(file.inode) ?? 0) : file.next;
    file.next = from + bytes.length;
    writeAt(moment, file.inode, from, bytes);
  };

  for (const { name, args, result, at, ended } of callsIn(log)) {
    const moment = { at, ended };
    const [first, second] = quotedIn(args);
    if (name === 'openat') {
      const path = first?.toString() ?? '';
      opened.delete(result);
      if (isInside(path)) open(moment, path, args, result);
      continue;
    }
    const { fd, path } = fileOf(args);
    const inode = inodes.get(path.replace(/ \(deleted\)$/, ''));
    const [from = '', to = ''] = [first?.toString(), second?.toString()];
    if (isInside(path)) {
      const numbers = numbersBehind(args);
      if (name === 'fsync' || name === 'fdatasync')
        operations.push(
          inode === undefined ? { ...moment, type: 'flush-folder', path } : { ...moment, type: 'flush', inode },
        );
      else if (inode === undefined) continue;
      else if (name === 'write') write(moment, fd, (first ?? Buffer.alloc(0)).subarray(0, result));
      else if (name === 'pwrite64')
        writeAt(moment, inode, numbers.at(-1) ?? 0, (first ?? Buffer.alloc(0)).subarray(0, result));
      else if (name === 'ftruncate') truncate(moment, inode, numbers.at(-1) ?? 0);
      else if (name === 'lseek') continue;
      else throw new Error(`${name} is not understood`);
    } else if (/^rename/.test(name) && isInside(from)) {
      const moved = inodes.get(from);
      if (moved === undefined) throw new Error('a folder was renamed');
      inodes.delete(from);
      inodes.set(to, moved);
      operations.push({ ...moment, type: 'rename', path: from, to });
    } else if (/^(unlink|rmdir)/.test(name) && isInside(from)) {
      inodes.delete(from);
      operations.push({ ...moment, type: 'name', path: from, inode: undefined });
    } else if (/^mkdir/.test(name) && isInside(from)) operations.push({ ...moment, type: 'folder', path: from });
    else if (/link|copy_file_range|sendfile/.test(name) && (isInside(from) || isInside(to)))
      throw new Error(`${name} is not understood`);
  }
  return operations;
};

/** Returns the folder whose list of names an operation on `path` changes. */
export const folderOf = (path: string): string => dirname(path);
