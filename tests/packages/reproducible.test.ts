/** The same sources give the same packages, byte for byte, so that everyone can build a release again and compare. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractAll } from '@electron/asar';
import { expect, onTestFinished, test } from 'vitest';
import { makeDirectory } from '../integration/support/folders.ts';
import { canCompileSetup, canMakeDeb, pack, packedPaths, useGitOfProject } from './support/pack.ts';
import type { PackedPlatform } from './support/stub-electron.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns every file below `folder`, by its path there. */
const filesIn = (folder: string): ReadonlyMap<string, Buffer> => {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]));
};

/** Returns the first file that only one folder has, or whose contents differ; undefined if the folders are the same. */
const firstDifference = (one: string, other: string): string | undefined => {
  const [files, others] = [filesIn(one), filesIn(other)];
  const paths = [...new Set([...files.keys(), ...others.keys()])].sort();
  const path = paths.find((name) => !files.get(name)?.equals(others.get(name) ?? Buffer.from('absent')));
  if (path === undefined) return undefined;
  const states = [files, others].map((all) => (all.has(path) ? sha256(all.get(path)) : 'absent'));
  return `${path}: ${states.join(', ')}`;
};

const sha256 = (content: Uint8Array = Buffer.alloc(0)): string => createHash('sha256').update(content).digest('hex');

test('two builds bundle the same files, which name no folder of this computer', () => {
  const again = join(makeDirectory(), 'out');
  const cli = fileURLToPath(import.meta.resolve('electron-vite/package.json')).replace(
    'package.json',
    'bin/electron-vite.js',
  );
  const args = [cli, 'build', '--logLevel', 'error', '--outDir', again];
  expect(spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })).toMatchObject({ status: 0 });
  const first = join(makeDirectory(), 'out');
  // Leaves out the files that are written after the bundles, from the bundles' lists of packages: only the bundles are
  // built again.
  const later = ['.built', 'THIRD-PARTY-NOTICES.txt', 'renderer/licences.json'].map((name) => join(root, 'out', name));
  cpSync(join(root, 'out'), first, { recursive: true, filter: (path) => !later.includes(path) });
  expect(firstDifference(first, again)).toBeUndefined();
  for (const [path, content] of filesIn(first)) expect(content.includes(root), path).toBe(false);
});

/**
 * Copies to `place` everything that packing reads, like a separate clone: with the modification time `seconds` (since
 * 1970), and with files created in order or in reverse.
 */
const cloneTo = (place: string, seconds: number, isReversed: boolean): string => {
  const paths = packedPaths
    .filter((name) => existsSync(join(root, name)))
    .flatMap((name) =>
      statSync(join(root, name)).isFile()
        ? [name]
        : [...filesIn(join(root, name)).keys()].map((path) => join(name, path)),
    );
  for (const path of isReversed ? paths.reverse() : paths) {
    const copy = join(place, path);
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(join(root, path), copy);
    utimesSync(copy, seconds, seconds);
  }
  useGitOfProject(place);
  return place;
};

/** Creates a folder in memory, where files are listed by age; on systems without such a folder, a usual one. */
const makeDirectoryInMemory = (): string => {
  if (!existsSync('/dev/shm')) return makeDirectory();
  const place = mkdtempSync('/dev/shm/inspection-desk-test-');
  onTestFinished(() => rmSync(place, { recursive: true }));
  return place;
};

type Packages = {
  readonly platform: PackedPlatform;
  readonly target: string;
  readonly suffix: string;
  readonly canPack: boolean;
};

test.for<Packages>([
  { platform: 'linux', target: 'deb', suffix: '.deb', canPack: canMakeDeb },
  { platform: 'win32', target: 'nsis', suffix: '.exe', canPack: canCompileSetup },
])(
  'the $target is the same from another folder at another time',
  async ({ platform, target, suffix, canPack }, { skip }) => {
    skip(!canPack, 'electron-builder has no tool for it');
    // Both packages are built at the same path, because the installer contains the path of a replacement of Wine.
    const home = makeDirectory();
    const packFrom = async (project: string) => {
      const { output, folder, archive } = await pack({ platform, target, home, project });
      const kept = join(makeDirectory(), 'dist');
      renameSync(output, kept);
      const unpacked = join(kept, relative(output, folder));
      extractAll(join(kept, relative(output, archive)), join(unpacked, 'app'));
      const name = readdirSync(kept).find((one) => one.endsWith(suffix)) ?? '';
      return {
        unpacked,
        listed: target === 'deb' ? listDeb(join(kept, name)) : [],
        content: readFileSync(join(kept, name)),
      };
    };
    const first = await packFrom(cloneTo(makeDirectory(), Date.now() / 1000, false));
    const other = await packFrom(cloneTo(makeDirectoryInMemory(), Date.now() / 1000 + 86_400, true));
    expect(firstDifference(first.unpacked, other.unpacked)).toBeUndefined();
    expect(other.listed).toEqual(first.listed);
    expect(sha256(other.content)).toBe(sha256(first.content));
  },
);

/** Lists the files of a deb with their permissions and dates, and its control files, one per line. */
const listDeb = (deb: string): readonly string[] => {
  const read = (...args: readonly string[]) =>
    spawnSync('dpkg-deb', args, { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } }).stdout;
  return [...read('--contents', deb).split('\n'), ...read('--info', deb).split('\n')];
};
