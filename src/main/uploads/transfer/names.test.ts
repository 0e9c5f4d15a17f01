import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OnClash } from '../../../contract/uploads.ts';
import { type Clash, fileNameKey } from '../source/file-names.ts';
import { scanned } from '../source/testing/scanned.ts';
import { createNameRegistry } from './names.ts';

type Holder = Parameters<ReturnType<typeof createNameRegistry>['reserve']>[0][number];

const part = fc.constantFrom('a', 'A', 'b', 'å', 'a\u030a', 'photo.jpg', 'Photo.JPG', 'x (2).jpg', 'b - a');
const paths = fc.uniqueArray(
  fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
  { minLength: 1, maxLength: 30 },
);

test('gives every file one distinct name, however often its folder is scanned', () =>
  fc.assert(
    fc.asyncProperty(paths, fc.array(fc.nat(29)), fc.integer({ min: 1, max: 7 }), async (all, interrupted, chunk) => {
      // An interrupted scan has found a part of the folder; a complete scan follows.
      const found = [...new Set(interrupted.flatMap((index) => all[index] ?? []))].map((path) => scanned(path));
      const before = createNameRegistry('{name}', '/folder', async () => undefined);
      const first = await before.assignNames(found);
      before.close();

      const registry = createNameRegistry('{name}', '/folder', async () => undefined);
      registry.add(first);
      const planned = [...first];
      for (let from = 0; from < all.length; from += chunk) {
        planned.push(...(await registry.assignNames(all.slice(from, from + chunk).map((path) => scanned(path)))));
      }
      registry.close();
      expect(planned.map(({ path }) => path).sort()).toEqual([...all].sort());
      expect(new Set(planned.map(({ fileName }) => fileNameKey(fileName))).size).toBe(all.length);
      for (const { fileName } of planned) expect(fileName).toBe(fileName.normalize('NFC'));
    }),
    { numRuns: 150 },
  ));

/** Assigns names to `paths`. Returns the FileName of each, with "is there" if the assignment already has the file. */
const assigned = async (registry: ReturnType<typeof createNameRegistry>, ...paths: readonly string[]) =>
  (await registry.assignNames(paths.map((path) => scanned(path)))).map(({ fileName, isThere }) =>
    isThere ? `${fileName} is there` : fileName,
  );

describe('a name that is reserved on the assignment', () => {
  const there = { fileName: 'A.TXT', isThere: true, sizeBytes: 10, sha256: 'same' };
  const place = { root: '/folder', path: 'a.txt' };
  const coming = { fileName: 'a.txt', isThere: false, isExpected: true, sizeBytes: 10, modifiedMs: 7 };
  const elsewhere = { ...coming, place: { ...place, root: '/b' } };
  const touched = { ...there, place, modifiedMs: 7 };
  const untouched = { ...touched, modifiedMs: scanned('a.txt').modifiedMs };

  test.each<[string, Holder[], string | undefined, string]>([
    ['by the same content is shared', [there], 'same', 'a.txt is there'],
    ['by other content is not', [there], 'other', 'a (2).txt'],
    ['by a file of another size is not', [{ ...there, sizeBytes: 11 }], 'same', 'a (2).txt'],
    ['by a file of which nothing else is known is not', [{ fileName: 'a.txt', isThere: true }], 'same', 'a (2).txt'],
    ['by several is shared with one of the same content', [{ ...there, sha256: 'x' }, there], 'same', 'a.txt is there'],
    ['by the same content is shared, whatever is to come', [there, coming], 'same', 'a.txt is there'],
    ['by other content is not, whatever is to come', [{ ...there, sha256: 'x' }, elsewhere], 'same', 'a (2).txt'],
    ['by another upload of the very same file is shared', [{ ...coming, place }], 'same', 'a.txt is there'],
    ['by the very same file as it was is shared', [{ ...coming, place, sizeBytes: 11 }], 'same', 'a.txt is there'],
    ['by a file to come with the same content is shared', [elsewhere], 'same', 'a.txt is there'],
    [
      'by a paused upload of the same content is shared, and sent',
      [{ ...elsewhere, isExpected: false }],
      'same',
      'a.txt',
    ],
    ['by several files to come is not if one differs', [elsewhere, coming], 'same', 'a (2).txt'],
    ['by a file to come that is not known to have a place is not', [coming], 'same', 'a (2).txt'],
    ['by a file to come of an unknown time is not', [{ ...elsewhere, modifiedMs: undefined }], 'same', 'a (2).txt'],
    ['by a file to come that cannot be read is not', [elsewhere], undefined, 'a (2).txt'],
    ['by the file as it was before it was written to is not', [touched], 'other', 'a (2).txt'],
    ['by the file as it was with another size is not', [{ ...untouched, sizeBytes: 11 }], 'same', 'a (2).txt'],
    ['by a file beside it is not', [{ ...untouched, place: { ...place, path: 'b' } }], 'other', 'a (2).txt'],
  ])('%s', async (_, holders, content, name) => {
    const registry = createNameRegistry('{name}', '/folder', async (_, { sizeBytes }) =>
      sizeBytes === 10 ? content : undefined,
    );
    registry.reserve(holders);
    expect(await assigned(registry, 'a.txt')).toEqual([name]);
    registry.close();
  });

  test('is shared with one file of the folder', async () => {
    const registry = createNameRegistry('{name}', '/folder', async () => 'same');
    registry.reserve([there]);
    expect(await assigned(registry, 'a.txt', 'in/a.txt')).toEqual(['a.txt is there', 'in - a.txt']);
    registry.close();
  });

  test('needs no reading if the file is unchanged since its upload', async () => {
    const registry = createNameRegistry('{name}', '/folder', () => Promise.reject(new Error('read')));
    registry.reserve([untouched]);
    expect(await assigned(registry, 'a.txt')).toEqual(['a.txt is there']);
    registry.close();
  });
});

describe('a name that is taken by other content', () => {
  const place = { root: '/jobs', path: 'in/A.txt' };
  const earlier = { fileName: 'A.TXT', isThere: true, place, addedAtMs: 5 };
  const own = { ...earlier, isOwn: true, place: { ...place, path: 'own.txt' }, addedAtMs: 6 };
  const coming = { fileName: 'a.txt', isThere: false, place: { root: '/other', path: 'a.txt' } };

  test.each<[string, Holder[], Omit<Clash, 'fileName' | 'onClash'>, OnClash]>([
    ['on the assignment can be replaced', [earlier], { with: 'earlier', place, addedAtMs: 5 }, 'replace'],
    ['from another computer can be replaced', [{ fileName: 'a.txt', isThere: true }], { with: 'earlier' }, 'replace'],
    ['by this upload cannot', [own], { with: 'this-upload', place: own.place, addedAtMs: 6 }, 'rename'],
    ['by this upload too cannot', [earlier, own], { with: 'this-upload', place: own.place, addedAtMs: 6 }, 'rename'],
    ['by another upload cannot', [coming], { with: 'earlier', place: coming.place }, 'rename'],
    ['by another upload too cannot', [coming, earlier], { with: 'earlier', place, addedAtMs: 5 }, 'rename'],
  ])('%s', async (_, holders, clash, instead) => {
    for (const choice of ['rename', 'skip', 'replace'] as const) {
      const registry = createNameRegistry(
        '{name}',
        '/folder',
        async () => undefined,
        () => choice,
      );
      registry.reserve(holders);
      const onClash = choice === 'replace' ? instead : choice;
      const [file] = await registry.assignNames([scanned('a.txt')]);
      expect(file).toEqual({
        ...scanned('a.txt'),
        fileName: onClash === 'rename' ? 'a (2).txt' : 'a.txt',
        clash: { fileName: 'a.txt', ...clash, onClash },
      });
      registry.close();
    }
  });

  test('is that of one file of the folder, if it replaces the earlier one', async () => {
    const registry = createNameRegistry(
      '{name}',
      '/folder',
      async () => undefined,
      (path) => (path === 'a.txt' ? 'skip' : 'replace'),
    );
    registry.reserve([earlier]);
    expect(await registry.assignNames(['a.txt', 'b/a.txt', 'c/a.txt'].map((path) => scanned(path)))).toMatchObject([
      { fileName: 'a.txt', clash: { onClash: 'skip', place } },
      { fileName: 'a.txt', clash: { onClash: 'replace', place } },
      {
        fileName: 'c - a.txt',
        clash: { with: 'this-upload', onClash: 'rename', place: { root: '/folder', path: 'b/a.txt' } },
      },
    ]);
    registry.close();
  });

  test.each<[OnClash, string]>([
    ['rename', 'in - a.txt is there'],
    ['skip', 'a.txt'],
    ['replace', 'a.txt'],
  ])('leads to %s, and only a renamed file may be one that another upload sends', async (choice, name) => {
    const registry = createNameRegistry(
      '{name}',
      '/folder',
      async () => undefined,
      () => choice,
    );
    const again = {
      fileName: 'in - a.txt',
      isThere: false,
      isExpected: true,
      place: { root: '/folder', path: 'in/a.txt' },
    };
    registry.reserve([earlier, again]);
    expect(await assigned(registry, 'in/a.txt')).toEqual([name]);
    registry.close();
  });
});

test('files that are known get no further names, and those that were skipped leave theirs free', async () => {
  const registry = createNameRegistry('{name}', '/folder', async () => undefined);
  registry.add([scanned('a.txt'), { ...scanned('b.txt'), hasName: false }]);
  registry.know([scanned('c.txt')]);
  expect(['a.txt', 'b.txt', 'c.txt', 'd.txt'].filter((path) => registry.isKnown({ path }))).toEqual([
    'a.txt',
    'b.txt',
    'c.txt',
  ]);
  const paths = ['a', 'b', 'c', 'in/a', 'in/b', 'in/c'].map((path) => `${path}.txt`);
  expect(await assigned(registry, ...paths)).toEqual(['in - a.txt', 'b.txt', 'c.txt']);
  registry.close();
});

test('a further folder has its own files and choices, and shares a name only with the same content', async () => {
  const registry = createNameRegistry('{name}', '/one', async ({ root }) => (root === '/three' ? '/one' : root));
  expect(await assigned(registry, 'a.txt', 'b.txt')).toEqual(['a.txt', 'b.txt']);
  registry.know([{ path: 'b.txt' }]);
  registry.startFolder('/two', () => 'skip');
  expect(registry.isKnown({ path: 'b.txt' })).toBe(false);
  const clash = { with: 'this-upload', place: { root: '/one', path: 'a.txt' }, onClash: 'skip' };
  expect(await registry.assignNames([scanned('a.txt')])).toMatchObject([{ fileName: 'a.txt', clash }]);
  registry.startFolder('/three');
  expect(await assigned(registry, 'a.txt', 'in/b.txt')).toEqual(['a.txt is there', 'b.txt is there']);
  registry.startFolder('/four');
  expect(await assigned(registry, 'a.txt')).toEqual(['a (2).txt']);
  registry.close();
  expect(() => registry.isKnown({ path: 'a.txt' })).toThrow();
});

test.each(['the same', 'another'])(
  'files of many folders, with one name and %s content, are hashed a few times each',
  async (what) => {
    const folders = Array.from({ length: 30 }, (_, at) => `/folder ${at}`);
    let hashed = 0;
    const contentOf = async ({ root }: { readonly root: string }) => {
      hashed += 1;
      return what === 'the same' ? what : root;
    };
    const registry = createNameRegistry('{name}', '', contentOf);
    const names = new Set<string>();
    for (const folder of folders) {
      registry.startFolder(folder);
      for (const { fileName } of await registry.assignNames([scanned('a.txt')])) names.add(fileName);
    }
    registry.close();
    expect(names.size).toBe(what === 'the same' ? 1 : folders.length);
    expect(hashed).toBeLessThanOrEqual(2 * folders.length);
  },
);
