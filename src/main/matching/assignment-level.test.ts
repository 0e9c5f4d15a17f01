import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AssignmentPart, assignmentLevels, assignmentParts, canTell } from './assignment-level.ts';
import { createMatchIndex } from './match-index.ts';
import { SAMPLE } from './testing/sample-targets.ts';

type Folder = {
  readonly name: string;
  readonly depth: number;
  readonly parent: Folder | undefined;
  readonly folders: readonly Folder[];
  readonly files: readonly { readonly name: string }[];
};

const index = createMatchIndex(SAMPLE);

/**
 * A folder that contains folders: these by name, each as a tree or, if it contains only files, as a list of their
 * names. The folder's own files are under ''.
 */
type Tree = { readonly [name: string]: Tree | readonly string[] };

const folderOf = (name: string, tree: Tree | readonly string[], parent?: Folder): Folder => {
  const isFiles = (one: Tree | readonly string[]): one is readonly string[] => Array.isArray(one);
  const folders: Folder[] = [];
  const files = isFiles(tree)
    ? tree
    : Object.entries(tree).flatMap(([key, value]) => (key === '' && isFiles(value) ? value : []));
  const depth = parent === undefined ? 0 : parent.depth + 1;
  const folder = { name, depth, parent, folders, files: files.map((file) => ({ name: file })) };
  if (!isFiles(tree))
    for (const [key, value] of Object.entries(tree)) if (key !== '') folders.push(folderOf(key, value, folder));
  return folder;
};

const pathOf = (folder: Folder): string =>
  folder.parent === undefined ? folder.name : `${pathOf(folder.parent)}/${folder.name}`;
const shown = (row: AssignmentPart<Folder>): string => {
  if (row.kind === 'named') return `${pathOf(row.folder)}: ${row.fileNames.join(', ')}`;
  return pathOf(row.folder) + (row.kind === 'loose' ? ' (loose)' : '');
};
const rows = (tree: Tree, level?: number): readonly string[] =>
  assignmentParts([folderOf('Jobs', tree)], index, { level }).map(shown);

const photos = ['1.jpg', '2.jpg'];
const parts = { Bilder: photos, Rapport: ['r.pdf'] };

describe('the level of the jobs', () => {
  test.each<[string, Tree, number]>([
    ['folders in the chosen one', { 'Elveveien 97': parts, '109 Station Road': parts, Misc: photos }, 1],
    [
      'below their cities',
      { Bergen: { 'Elveveien 97': parts, 'Storgata 12': parts }, York: { '109 Station Road': photos } },
      2,
    ],
    ['city, street and number', { Bergen: { Elveveien: { 97: parts, 9: parts }, Storgata: { 12: photos } } }, 3],
    ['years first', { 2026: { 'Uke 12': { 'Elveveien 97': parts, 'Bjørnstads vei 59': photos } } }, 3],
    [
      'names repeated in the folders inside',
      { 'Elveveien 97': { 'Elveveien 97 bilder': photos, 'Elveveien 97 rapport': photos } },
      1,
    ],
    ['nothing that is known', { Alpha: parts, Beta: parts }, 1],
  ])('%s', (_, tree, level) => {
    expect(assignmentLevels([folderOf('Jobs', tree)], index).level).toBe(level);
  });

  test('is the chosen folder itself where that is a job, or has no folders', () => {
    expect(assignmentLevels([folderOf('Elveveien 97', parts)], index).level).toBe(0);
    expect(assignmentLevels([folderOf('Jobs', photos)], index).level).toBe(0);
  });

  test('counts the folders of each level', () => {
    expect(assignmentLevels([folderOf('Jobs', { a: parts, b: photos })], index).levels).toEqual([
      { level: 0, folders: 1 },
      { level: 1, folders: 2 },
      { level: 2, folders: 2 },
    ]);
  });
});

describe('the rows of a tree', () => {
  test('are the folders of the level, those that end above it, and files above it', () => {
    expect(
      rows({ '': ['a.txt'], Bergen: { '': ['b.txt'], 'Elveveien 97': parts, 'Storgata 12': photos }, Misc: photos }),
    ).toEqual([
      'Jobs (loose)',
      'Jobs/Bergen (loose)',
      'Jobs/Bergen/Elveveien 97',
      'Jobs/Bergen/Storgata 12',
      'Jobs/Misc',
    ]);
  });

  test('keep a job above the level whole, and open a folder at the level whose folders are jobs', () => {
    expect(
      rows({
        'Bjørnstads vei 59': parts,
        Bergen: { 'Elveveien 97': parts, 'Storgata 12': parts },
        York: { Kunde: { '109 Station Road': photos } },
      }),
    ).toEqual([
      'Jobs/Bjørnstads vei 59',
      'Jobs/Bergen/Elveveien 97',
      'Jobs/Bergen/Storgata 12',
      'Jobs/York/Kunde/109 Station Road',
    ]);
  });

  test('are cut at the level that a person chooses', () => {
    const tree = { 'Elveveien 97': parts, Misc: photos };
    expect(rows(tree, 0)).toEqual(['Jobs']);
    expect(rows(tree, 2)).toEqual(['Jobs/Elveveien 97/Bilder', 'Jobs/Elveveien 97/Rapport', 'Jobs/Misc']);
  });

  test('have files of their own where these say more than their folder', () => {
    expect(
      rows({
        '': ['Elveveien 97 tak.jpg', 'Elveveien 97.pdf', '109 Station Road.pdf', 'IMG_1.jpg'],
        'Storgata 12 Oslo': photos,
      }),
    ).toEqual([
      'Jobs: Elveveien 97 tak.jpg, Elveveien 97.pdf',
      'Jobs: 109 Station Road.pdf',
      'Jobs (loose)',
      'Jobs/Storgata 12 Oslo',
    ]);
  });

  const names = fc.constantFrom(
    'Elveveien 97',
    'Bergen',
    'Storgata 12',
    '12',
    'Bilder',
    'Misc',
    '109 Station Road',
    'a',
  );
  const files = fc.uniqueArray(fc.constantFrom('1.jpg', 'Elveveien 97.pdf', '109 Station Road.pdf', 'b.txt'));
  const { tree: anyTree } = fc.letrec<{ tree: Tree | readonly string[] }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      files,
      fc
        .tuple(files, fc.dictionary(names, tie('tree'), { maxKeys: 4 }))
        .map(([own, inside]) => ({ ...inside, '': own })),
    ),
  }));

  test('hold every file exactly once, whatever the tree and the level', () => {
    fc.assert(
      fc.property(anyTree, fc.option(fc.nat(5), { nil: undefined }), (tree, level) => {
        const root = folderOf('Jobs', tree);
        const filesIn = (folder: Folder, isDeep: boolean): readonly string[] => [
          ...folder.files.map(({ name }) => `${pathOf(folder)}/${name}`),
          ...(isDeep ? folder.folders.flatMap((inside) => filesIn(inside, true)) : []),
        ];
        const planned = assignmentParts([root], index, { level }).flatMap((row) => {
          if (row.kind === 'named') return row.fileNames.map((name) => `${pathOf(row.folder)}/${name}`);
          if (row.kind === 'all') return filesIn(row.folder, true);
          return filesIn(row.folder, false).filter((path) => !row.except.has(path.slice(path.lastIndexOf('/') + 1)));
        });
        expect([...planned].sort()).toEqual([...filesIn(root, true)].sort());
      }),
    );
  });

  test('do not need the stack for 1,000 levels', () => {
    let tree: Tree | readonly string[] = photos;
    for (let level = 0; level < 1000; level += 1) tree = { a: tree };
    expect(rows(tree as Tree)).toHaveLength(1);
  });
});

test.each([
  ['Elveveien 97 tak.jpg', true],
  ['Hansen.pdf', true],
  ['FAC-102539.pdf', true],
  ['102539.pdf', true],
  ['9ab549aa-657d-4472-a2a3-fa9178f2b8d1.pdf', true],
  ['IMG_0123.jpg', false],
  ['photo 3.jpg', false],
  ['97.jpg', false],
])('whether %s can name an assignment: %j', (name, can) => {
  expect(canTell(name)).toBe(can);
});
