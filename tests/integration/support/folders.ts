/** Creates folders on disk for the tests of uploads, and their contents. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { once } from 'es-toolkit/function/once';
import { attempt } from 'es-toolkit/util/attempt';
import { onTestFinished } from 'vitest';

/** The timeout for removing a folder: a slow disk takes minutes for thousands of folders. */
const REMOVAL_MS = 600_000;

/** Creates an empty directory below `parent`, which is removed when the test has ended. */
export const makeDirectory = (parent = tmpdir()): string => {
  const path = mkdtempSync(join(parent, 'inspection-desk-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }), REMOVAL_MS);
  return path;
};

/**
 * Mounts a file system of `size`, such as `8m`, at `directory` until the test has ended. Returns a function that
 * unmounts it earlier; undefined where mounting is not permitted.
 */
export const mountSmallDisk = (directory: string, size: string): (() => void) | undefined => {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory], { stdio: 'ignore' });
  if (status !== 0) return undefined;
  const unmount = once((): void => void execFileSync('umount', ['--lazy', directory]));
  onTestFinished(unmount);
  return unmount;
};

/**
 * Mounts a drive that never responds at `directory`, until the test has ended: a FUSE file system without a server.
 * Returns a function that ends the calls to the drive earlier; undefined where mounting is not permitted.
 */
export const mountHungDrive = (directory: string): (() => void) | undefined => {
  const [, fd] = attempt(() => openSync('/dev/fuse', 'r+'));
  if (fd === null) return undefined;
  const options = ['-i', '-t', 'fuse', '-o', 'fd=3,rootmode=40000,user_id=0,group_id=0'];
  const { status } = spawnSync('mount', [...options, 'hung', directory], { stdio: ['ignore', 'ignore', 'ignore', fd] });
  const end = once((): void => {
    closeSync(fd);
    if (status === 0) execFileSync('umount', ['--lazy', directory]);
  });
  onTestFinished(end);
  if (status === 0) return end;
  end();
  return undefined;
};

/**
 * Creates an `openFile` for a watch. It fails as if another program held the file, if the file's name is in `held`,
 * which the test can change.
 */
export const holdFiles = (...names: readonly string[]) => {
  const held = new Set(names);
  const openFile: typeof open = (path, ...others) =>
    held.has(basename(String(path)))
      ? Promise.reject(Object.assign(new Error('held'), { code: 'EBUSY' }))
      : open(path, ...others);
  return { held, openFile };
};

/** The contents of files, by their paths below a folder, with `/` between names. */
export type Tree = Readonly<Record<string, string | Uint8Array>>;

export const writeTree = (root: string, tree: Tree): void => {
  for (const [path, content] of Object.entries(tree)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
};

export const makeFolder = (tree: Tree): string => {
  const root = makeDirectory();
  writeTree(root, tree);
  return root;
};

/** `count` small files with different contents, spread over three folders. */
export const manyFiles = (count: number): Tree =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const name = `file-${String(index).padStart(4, '0')}.txt`;
      return [`part ${index % 3}/${name}`, `content of ${name}\n`.repeat(1 + (index % 7) * 40)];
    }),
  );

/** Returns `sizeBytes` bytes without repetitions, so that a missing part is always noticed. */
export const bytes = (sizeBytes: number): Uint8Array => {
  const content = Buffer.alloc(sizeBytes);
  for (let at = 0, value = 1; at < sizeBytes; at += 1) {
    value = (Math.imul(value, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    content[at] = value >> 23;
  }
  return content;
};

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

export const makeFile = (content: string): string => join(makeFolder({ file: content }), 'file');
