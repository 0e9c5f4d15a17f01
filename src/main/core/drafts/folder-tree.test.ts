import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import {
  createReviewedList,
  dropOldLists,
  dropReviewedList,
  filesOf,
  type ScannedFile,
  type Source,
  scanFolder,
} from '../../uploads/source/scan.ts';
import { createFolderTree, filesOf as filesOfPart, outermost, type TreeFolder } from './folder-tree.ts';

const ID = '6f1c1f0e-58a5-4a3c-9f52-0d7ad5a1b111';

const makeDirectory = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'inspection-desk-test-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

const file = (path: string): ScannedFile => ({
  path,
  sizeBytes: path.length,
  modifiedMs: 1_700_000_000_000.25,
  identity: { id: `18446744073709551615-${path.length}`, changedMs: 1_700_000_000_001.5 },
});

/**
 * Creates the tree of a chosen folder, and saves its list. Some of the files directly in the folder are added after
 * those of a subfolder, as by the scan of a large folder.
 */
const reviewed = () => {
  const lists = makeDirectory();
  const tree = createFolderTree({ list: createReviewedList(lists, ID) });
  const found = new Map<string, TreeFolder>();
  const folder = (below: string): void =>
    void found.set(below, tree.addFolder(0, { below, identity: { id: `1-${found.size + 1}`, bornMs: 7.5 } }));
  const files = (...paths: readonly string[]): void => tree.addFiles(0, paths.map(file));
  tree.addSource({ root: '/jobs', name: 'jobs' });
  folder('');
  files('a.txt');
  files('b "quoted"\nname.txt', 'c \u{1f3e0}.txt');
  folder('one/');
  files('one/d.txt');
  folder('one/deep/');
  files('one/deep/e.txt', 'one/deep/f.txt');
  folder('one/empty/');
  files('y.txt', 'z.txt');
  folder('two/');
  files('two/g.txt');
  tree.save(true);
  tree.close();
  const sourceOf = (below: string, only?: readonly string[]): Source =>
    tree.sourceOf({ folder: found.get(below) ?? expect.unreachable(), fileNames: only }) ?? expect.unreachable();
  return { lists, sourceOf };
};

const read = async (source: Source, lists: string) => {
  const files: ScannedFile[] = [];
  const folders: string[] = [];
  const onFolder = ({ below, identity }: { below: string; identity: { id: string } }): void =>
    void folders.push(`${below} ${identity.id}`);
  for await (const group of filesOf(source, lists, new AbortController().signal, { onFolder }).files)
    files.push(...group);
  return { files, folders, paths: files.map(({ path }) => path) };
};

test('a file is known by its path on the disk once it was found, also in a folder that was asked for before', () => {
  const tree = createFolderTree();
  tree.addSource({ root: join('/', 'jobs'), name: 'jobs' });
  const isKnown = (name: string): boolean => tree.fileAt(join('/', 'jobs', 'one', name)) !== undefined;
  tree.addFiles(0, [file('one/a.txt')]);
  expect([isKnown('a.txt'), isKnown('b.txt'), isKnown('')]).toEqual([true, false, false]);
  tree.addFiles(0, [file('one/b.txt')]);
  expect([isKnown('a.txt'), isKnown('b.txt')]).toEqual([true, true]);
  expect(tree.fileAt(join('/', 'jobs', 'b.txt'))).toBeUndefined();
});

test('B17: each row is read from the list as it was reviewed, and nothing else', async () => {
  const { lists, sourceOf } = reviewed();
  const whole = await read(sourceOf(''), lists);
  expect(whole.paths).toEqual([
    'a.txt',
    'b "quoted"\nname.txt',
    'c \u{1f3e0}.txt',
    'one/d.txt',
    'one/deep/e.txt',
    'one/deep/f.txt',
    'y.txt',
    'z.txt',
    'two/g.txt',
  ]);
  expect(whole.files).toEqual(whole.paths.map(file));
  expect(new Set(whole.folders)).toEqual(new Set([' 1-1', 'one/ 1-2', 'one/deep/ 1-3', 'one/empty/ 1-4', 'two/ 1-5']));
  const one = await read(sourceOf('one/'), lists);
  expect(one.paths).toEqual(['d.txt', 'deep/e.txt', 'deep/f.txt']);
  expect(one.folders).toEqual([' 1-2', 'deep/ 1-3', 'empty/ 1-4']);
  expect((await read(sourceOf('one/empty/'), lists)).paths).toEqual([]);
  const loose = await read(sourceOf('', ['a.txt', 'z.txt', 'none.txt']), lists);
  expect(loose.paths).toEqual(['a.txt', 'z.txt']);
});

test('B17: a list that was cut off or changed is damaged; none of another folder is read from it', async () => {
  const { lists, sourceOf } = reviewed();
  const source = sourceOf('');
  const path = join(lists, `${ID}.jsonl`);
  const text = readFileSync(path, 'utf8');
  const expectDamage = () => expect(read(source, lists)).rejects.toMatchObject({ code: 'data/corrupt' });
  writeFileSync(path, text.replace('"a.txt"', '"../a.txt"'));
  await expectDamage();
  writeFileSync(path, text.replace('["a.txt"', '{"a.txt"'));
  await expectDamage();
  writeFileSync(path, text);
  truncateSync(path, text.length - 20);
  await expectDamage();
  await expect(read(source, makeDirectory())).rejects.toMatchObject({ code: 'data/corrupt' });
});

test('lists of an earlier process are deleted unless an upload still needs them', async () => {
  const { lists, sourceOf } = reviewed();
  dropOldLists(lists, new Set([ID]));
  expect((await read(sourceOf('two/'), lists)).paths).toEqual(['g.txt']);
  dropOldLists(lists, new Set());
  await expect(read(sourceOf('two/'), lists)).rejects.toMatchObject({ code: 'data/corrupt' });
});

test('a list that cannot be deleted stops nothing: the next start tries again', () => {
  const lists = makeDirectory();
  mkdirSync(join(lists, `${ID}.jsonl`));
  expect(() => dropReviewedList(lists, ID)).not.toThrow();
});

test('whatever is chosen in whatever order, each file is in the draft once, and an upload of a folder reads nothing of another', async () => {
  const root = realpathSync(makeDirectory());
  const files = ['a.txt', 'A/b.txt', 'A/c.txt', 'A/B/d.txt', 'A/B/C/e.txt', 'A B/f.txt', 'D/g.txt', 'D/A/h.txt'];
  const folders = ['.', 'A', 'A/B', 'A/B/C', 'A B', 'D', 'D/A'];
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  for (const path of files) writeFileSync(join(root, path), '');
  symlinkSync(join(root, 'A'), join(root, 'to A'), 'junction');
  const isIn = (path: string, chosen: string): boolean =>
    chosen === '.' || path === chosen || path.startsWith(`${chosen.replace('to A', 'A')}/`);
  const sourceOf = (chosen: string) =>
    chosen.endsWith('.txt')
      ? { root: join(root, dirname(chosen)), name: basename(chosen), only: [basename(chosen)] }
      : { root: join(root, chosen), name: chosen };
  const together = fc.uniqueArray(fc.constantFrom(...folders, ...files, 'to A'), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(together, { minLength: 1, maxLength: 4 }), async (steps) => {
      const tree = createFolderTree();
      for (const chosen of steps)
        for (const source of outermost(chosen.map(sourceOf))) await tree.scan(source, AbortSignal.any([]), () => {});
      const wanted = files.filter((path) => steps.flat().some((chosen) => isIn(path, chosen)));
      const found: string[] = [];
      const read: string[] = [];
      for (const folder of tree.roots) {
        const only = tree.sources[folder.source]?.only;
        const source = tree.sourceOf({ folder, fileNames: only }) ?? expect.unreachable();
        const below = (path: string): string => join(source.realRoot ?? '', path).slice(root.length + 1);
        found.push(...filesOfPart({ folder, fileNames: undefined }).map(({ path }) => below(path)));
        const reads = scanFolder({ ...source, only: only && folder.files.map(({ name }) => name) });
        for await (const group of reads.files) read.push(...group.map(({ path }) => below(path)));
      }
      expect(found.toSorted()).toEqual(wanted.toSorted());
      expect(read.toSorted()).toEqual(wanted.toSorted());
    }),
  );
});

test('a scan is complete although its list cannot be written, and the list is written once that is possible', async () => {
  const lists = join(makeDirectory(), 'lists');
  writeFileSync(lists, 'There is no room for a folder.');
  const root = makeDirectory();
  const names = Array.from({ length: 2_000 }, (_, index) => `file ${String(index).padStart(4, '0')}.txt`);
  for (const name of names) writeFileSync(join(root, name), name);
  const tree = createFolderTree({ list: createReviewedList(lists, ID) });
  const scan = tree.scan({ root, name: 'root' }, new AbortController().signal, () => {});
  await expect(scan).rejects.toMatchObject({ code: 'data/unwritable' });
  const [folder] = tree.roots;
  expect(folder?.whole.files).toBe(names.length);
  expect(() => tree.save(true)).toThrow(expect.objectContaining({ code: 'data/unwritable' }));
  rmSync(lists);
  tree.save(true);
  const source = folder && tree.sourceOf({ folder, fileNames: undefined });
  if (!source) expect.unreachable();
  expect((await read(source, lists)).paths).toEqual(names);
});
