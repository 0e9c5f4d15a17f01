/**
 * Tests drafts, some of them with any sequence of choices: no file is in two rows or sent twice, and undoing restores
 * the earlier state.
 */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DraftRow } from '../../../contract/drafts.ts';
import { DeskError } from '../../../contract/errors.ts';
import type { MatchTarget } from '../../matching/targets.ts';
import { targetAt } from '../../matching/testing/sample-targets.ts';
import { createReviewedList } from '../../uploads/source/scan.ts';
import type { ComparedFiles } from '../../uploads/transfer/names.ts';
import { type DraftStart, openDraft, type PlannedRow } from './draft-worker.ts';
import { createFolderTree, type FolderTree } from './folder-tree.ts';
import { createMatching } from './matching.ts';
import { type DraftStorage, keptDraftPath, readKeptDraft } from './stored-draft.ts';
import type { GroupSources } from './table.ts';

const ids = [1, 2, 3].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`);

/** Paths of files below the chosen folder, up to four folders deep. */
const paths = fc.uniqueArray(
  fc
    .tuple(
      fc.array(fc.constantFrom('a', 'b', 'Elveveien 9', 'photos'), { maxLength: 4 }),
      fc.constantFrom('x', 'y', 'z'),
    )
    .map(([folders, file]) => [...folders, `${file}.txt`].join('/')),
  { minLength: 1, maxLength: 25 },
);

/** An assignment to which folders of its name are matched without asking the user. */
const named = targetAt(11, 'Elveveien 9', 'Bergen');

/** The assignments with the ids `ids`, at addresses that no test refers to. */
const others = ids.map((AssignmentId, at) => targetAt(90 + at, `Fjordgata ${at + 1}01`, 'Tromsø', { AssignmentId }));

const stored = (of: MatchTarget, InspectionProtocolId?: string) => ({
  value: JSON.stringify(of),
  fetchedAtMs: 0,
  ...(InspectionProtocolId && { InspectionProtocolId }),
});

const treeOf = (files: readonly string[], root = '/chosen'): FolderTree => {
  const tree = createFolderTree();
  const source = tree.addSource({ root, name: 'chosen' });
  for (const path of files) tree.addFiles(source, [{ path, sizeBytes: 1, modifiedMs: 0 }]);
  return tree;
};

type OpenDraft = ReturnType<typeof openDraft>;

const settled = async (draft: OpenDraft): Promise<void> => {
  const isSettled = ({ phase, isComparing } = draft.view()): boolean => phase === 'ready' && !isComparing;
  while (!isSettled()) await setImmediate();
};

/** To be called when all lists have been handed over. Resolves once the rows are matched with them. */
const update = async (draft: OpenDraft): Promise<void> => {
  draft.updated({ isPartial: false, isReading: false });
  await draft.certain();
  await settled(draft);
};

type Given = {
  readonly map: string;
  readonly assignments: readonly MatchTarget[];
  /** Whether the rows are matched with the assignments. Default: true. */
  readonly isUpdated: boolean;
  readonly AssignmentId: string;
  readonly isReviewed: boolean;
  readonly storage: DraftStorage;
  readonly compare: (sources: GroupSources) => Promise<readonly ComparedFiles[]>;
  readonly onBug: (error: unknown) => void;
};

const opened = (
  files: readonly string[] | FolderTree,
  { compare, onBug = () => {}, ...start }: Partial<Given & Pick<DraftStart, 'sources'>>,
): OpenDraft => {
  const nothing = (): void => {};
  return openDraft(
    {
      draftId: ids[0] ?? '',
      sources: [],
      history: { assignments: compare ? ids : [] },
      ...start,
    },
    'addSource' in files ? files : treeOf(files),
    {
      call: {
        compare: compare ?? (async () => []),
        draft: async () => {},
        notice: async () => {},
        sentArchives: async () => [],
      },
      tell: { compare: nothing, draft: nothing, notice: nothing, sentArchives: nothing },
      reportBug: onBug,
    },
    nothing,
  );
};

const draftOf = async (
  files: readonly string[] | FolderTree,
  { assignments = [], isUpdated = true, ...given }: Partial<Given> = {},
): Promise<OpenDraft> => {
  const draft = opened(files, given);
  draft.targets(assignments.map((one) => stored(one)));
  if (isUpdated) await update(draft);
  else while (draft.view().phase === 'scanning') await setImmediate();
  return draft;
};

/** The files that an upload of these rows would read. */
const filesIn = (rows: readonly Pick<PlannedRow, 'upload'>[], files: readonly string[]): readonly string[] =>
  rows.flatMap(({ upload: { root, only } }) => {
    const prefix = `${root}/`.slice('/chosen/'.length);
    return only ? only.map((name) => prefix + name) : files.filter((path) => path.startsWith(prefix));
  });

const everyRow = (draft: OpenDraft) =>
  draft.rows({ filter: 'all', sort: 'path', descending: false, offset: 0, limit: 1000 }).rows;
const rowIdsOf = (draft: OpenDraft): readonly number[] => everyRow(draft).map(({ rowId }) => rowId);
const some = (all: readonly number[], seed: number): readonly number[] =>
  all.filter((_, at) => (seed >> (at % 16)) & 1);

const step = fc.record({
  act: fc.constantFrom('assign', 'leaveOut', 'include', 'setLevel', 'undo', 'start'),
  seed: fc.nat(65_535),
});

test('each file is in exactly one row, at every level', async () => {
  await fc.assert(
    fc.asyncProperty(paths, fc.nat(6), async (files, level) => {
      const draft = await draftOf(files);
      draft.setLevel({ level });
      draft.assign({ rowIds: rowIdsOf(draft), AssignmentId: ids[0] ?? '' });
      expect(filesIn(draft.plan().rows, files).toSorted()).toEqual(files.toSorted());
    }),
  );
});

test('no file is sent twice, whatever is chosen, at whatever level, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(paths, fc.array(step, { maxLength: 20 }), async (files, steps) => {
      const draft = await draftOf(files);
      const sent: string[] = [];
      for (const { act, seed } of steps) {
        const rowIds = some(rowIdsOf(draft), seed);
        if (act === 'setLevel') draft.setLevel({ level: seed % 6 });
        else if (act === 'undo') draft.undo();
        else if (act === 'start') {
          const planned = draft.plan().rows.filter((_, at) => (seed >> (at % 16)) & 1);
          sent.push(...filesIn(planned, files));
          // While the upload starts, lists that arrive may divide the folders into other rows.
          if (seed % 3 === 0) draft.setLevel({ level: seed % 5 });
          draft.started(planned.map(({ rowId }) => rowId));
        } else if (rowIds.length > 0) {
          if (act === 'assign') draft.assign({ rowIds, AssignmentId: ids[seed % 3] ?? '' });
          else draft[act]({ rowIds });
        }
        const planned = filesIn(draft.plan().rows, files);
        expect(new Set([...sent, ...planned]).size).toBe(sent.length + planned.length);
      }
      draft.assign({ rowIds: rowIdsOf(draft), AssignmentId: ids[0] ?? '' });
      expect([...sent, ...filesIn(draft.plan().rows, files)].toSorted()).toEqual(files.toSorted());
    }),
  );
});

test('each file goes where the folder around it was added for last, unless its row was decided, in any order', async () => {
  const folder = fc.array(fc.constantFrom('a', 'b', 'Elveveien 9', 'photos'), { maxLength: 3 });
  const given = fc.record({ folder: folder.map((names) => ['/chosen', ...names].join('/')), seed: fc.nat(65_535) });
  await fc.assert(
    fc.asyncProperty(
      paths,
      fc.array(given, { maxLength: 6 }),
      fc.nat(65_535),
      fc.nat(6),
      async (files, all, seed, decideAt) => {
        const draft = await draftOf(files, { AssignmentId: ids[0] ?? '' });
        // At the deepest level, no row has files in two folders.
        draft.setLevel({ level: 6 });
        const decided = some(rowIdsOf(draft), seed);
        const decide = () => decided.length > 0 && draft.assign({ rowIds: decided, AssignmentId: 'decided' });
        for (const [at, { folder: root, seed: id }] of all.entries()) {
          if (at === decideAt) decide();
          draft.add({ sources: [{ root, name: '' }], AssignmentId: ids[id % 3] });
        }
        if (decideAt >= all.length) decide();
        await settled(draft);
        const givenTo = (file: string) => all.findLast(({ folder: root }) => `/chosen/${file}`.startsWith(`${root}/`));
        for (const row of draft.plan().rows) {
          for (const file of filesIn([row], files)) {
            const last = givenTo(file);
            const expected = decided.includes(row.rowId) ? 'decided' : ids[last ? last.seed % 3 : 0];
            expect(row.upload.assignmentId).toBe(expected);
          }
        }
      },
    ),
  );
});

test('what is undone is as it was', async () => {
  await fc.assert(
    fc.asyncProperty(paths, fc.array(step, { maxLength: 12 }), async (files, steps) => {
      const draft = await draftOf(files);
      const shown = () => {
        const { revision: _, canUndo: __, ...view } = draft.view();
        const window = { filter: 'all', descending: false, offset: 0, limit: 100 } as const;
        return { view, rows: draft.rows(window) };
      };
      const before = [shown()];
      for (const { act, seed } of steps) {
        const rowIds = some(rowIdsOf(draft), seed);
        if (act === 'setLevel') draft.setLevel({ level: seed % 6 });
        else if (rowIds.length === 0 || act === 'undo' || act === 'start') continue;
        else if (act === 'assign') draft.assign({ rowIds, AssignmentId: ids[seed % 3] ?? '' });
        else draft[act]({ rowIds });
        before.push(shown());
      }
      for (const state of before.toReversed().slice(1)) {
        draft.undo();
        expect(shown()).toEqual(state);
      }
    }),
  );
});

const mapLines = fc.array(fc.tuple(fc.nat(), fc.nat(2)), { minLength: 1, maxLength: 6 });
const level = fc.option(fc.nat(5), { nil: undefined });

test('a map file wins over names, at every level: its folders go where it says, without those that it names inside them', async () => {
  await fc.assert(
    fc.asyncProperty(paths, mapLines, level, async (files, lines, cut) => {
      const folders = [...new Set(files.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '.'))];
      const chosen = new Map(lines.map(([at, id]) => [folders[at % folders.length] ?? '.', ids[id] ?? '']));
      const text = ['path,assignment', ...[...chosen].map(([path, id]) => `"${path}",${id}`)].join('\n');
      const draft = await draftOf(files, { map: text, assignments: [named, ...others] });
      if (cut !== undefined) draft.setLevel({ level: cut });
      const goesTo = (path: string): string | undefined => {
        for (let folder = path; folder !== ''; ) {
          folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
          const id = chosen.get(folder || '.');
          if (id !== undefined) return id;
        }
        return undefined;
      };
      const planned = draft.plan().rows;
      const found = planned.flatMap((row) => filesIn([row], files).map((path) => [path, row.upload.assignmentId]));
      const byMap = files.flatMap((path) => (goesTo(path) === undefined ? [] : [[path, goesTo(path)]]));
      expect(found.filter(([, id]) => id !== named.AssignmentId).toSorted()).toEqual(byMap.toSorted());
      // Files that the map does not name may go to the assignment that their names match.
      const byName = found.filter(([, id]) => id === named.AssignmentId);
      expect(byName.filter(([path = '']) => goesTo(path) !== undefined || !path.includes('Elveveien 9'))).toEqual([]);
    }),
  );
});

test('B5: a folder that a map file names is a question if its name is not what it looks like', async () => {
  const name = 'Elveveien 9\u200b7';
  const draft = await draftOf([`${name}/x.txt`, 'a/y.txt'], {
    map: `path,assignment\n${name},${ids[0]}\na,${ids[1]}`,
    assignments: others,
  });
  expect(draft.plan().rows.map(({ upload }) => upload.assignmentId)).toEqual([ids[1]]);
  const asked = draft.matches().find(({ path }) => path === name);
  expect(asked).toMatchObject({
    decision: 'ask',
    candidates: [{ AssignmentId: ids[0], reasons: [{ signal: 'map' }] }],
  });
  expect(asked?.reasons).toContainEqual(
    expect.objectContaining({ signal: 'characters', found: 'Elveveien 9⟨U+200B⟩7' }),
  );
});

test('A15: nothing goes to an assignment whose id is no UUID, nor to another at its address', async () => {
  const strange = targetAt(12, 'Kirkegata 3', 'Bergen', { AssignmentId: 'A-12' });
  const beside = targetAt(13, 'Kirkegata 3', 'Bergen', { AssignmentStatus: 'COMPLETED' });
  const files = ['Elveveien 9/x.txt', 'Kirkegata 3/x.txt', 'A-12/x.txt'];
  const assignments = [named, strange, beside];
  const draft = await draftOf(files, { assignments });
  expect(draft.plan().rows.map(({ upload }) => upload.assignmentId)).toEqual([named.AssignmentId]);
  expect(everyRow(draft).map((row) => DraftRow.safeParse(row).error)).toEqual([undefined, undefined, undefined]);
  const row = everyRow(draft).find(({ name }) => name === 'Kirkegata 3') ?? expect.unreachable();
  expect(row).toMatchObject({ choice: 'undecided', candidates: 1 });
  const of = (found?: { ids: readonly string[]; total: number }) => {
    const { candidates, total } = draft.candidates({ rowId: row.rowId, found });
    return [candidates.map(({ AssignmentId }) => AssignmentId), total];
  };
  expect(of()).toEqual([[beside.AssignmentId], 1]);
  const ids = assignments.map(({ AssignmentId }) => AssignmentId);
  expect(of({ ids, total: 7 })).toEqual([[named.AssignmentId, beside.AssignmentId], 6]);

  const mapped = await draftOf(files, { assignments, map: 'path,assignment\nElveveien 9,A-12' });
  expect(mapped.mapProblems()).toHaveLength(1);
  expect(mapped.plan().rows.map(({ upload }) => upload.assignmentId)).not.toContain('A-12');
});

test('names say where folders go that no map file names', async () => {
  const draft = await draftOf(['Elveveien 9/x.txt', 'a/y.txt'], {
    map: `path,assignment\na,${ids[0]}`,
    assignments: [named, ...others],
  });
  const planned = draft.plan().rows.map(({ path, upload }) => [path, upload.assignmentId]);
  expect(planned).toEqual([
    ['chosen/a', ids[0]],
    ['chosen/Elveveien 9', named.AssignmentId],
  ]);
});

test('what goes to one assignment waits for no others; once they are known they warn, and change neither rows nor choices', async () => {
  await fc.assert(
    fc.asyncProperty(paths, level, fc.nat(65_535), async (files, cut, seed) => {
      const draft = await draftOf(files, {
        assignments: [named],
        isUpdated: false,
        AssignmentId: ids[0] ?? '',
      });
      if (cut !== undefined) draft.setLevel({ level: cut });
      const leftOut = some(rowIdsOf(draft), seed);
      if (leftOut.length > 0) draft.leaveOut({ rowIds: leftOut });
      const before = draft.plan().rows;
      const counts = { all: rowIdsOf(draft).length };
      expect(draft.view()).toMatchObject({ phase: 'ready', isComparing: true, counts });
      await update(draft);
      expect(draft.plan().rows).toEqual(before);
      const { rows } = draft.rows({ filter: 'all', descending: false, offset: 0, limit: 100 });
      const isNamed = ({ path }: { readonly path: string }): boolean => path.endsWith('/Elveveien 9');
      const warned = rows.filter(({ warnings }) => warnings.some(({ kind }) => kind === 'other-assignment'));
      expect(warned).toEqual(expect.arrayContaining(rows.filter((row) => isNamed(row) && row.choice !== 'left-out')));
      expect(draft.view().doubts).toBe(warned.filter(({ choice }) => choice !== 'left-out').length);
    }),
  );
});

test('rows that were scrolled past are checked when they are looked at again', async () => {
  const root = mkdtempSync(join(tmpdir(), 'draft-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const names = Array.from({ length: 1000 }, (_, at) => String(at).padStart(3, '0'));
  for (const locked of ['000', '700', '799']) {
    mkdirSync(join(root, locked));
    // A link to itself cannot be opened.
    symlinkSync('a.pdf', join(root, locked, 'a.pdf'));
  }
  const draft = await draftOf(
    treeOf(
      names.map((name) => `${name}/a.pdf`),
      root,
    ),
  );
  const look = (offset: number): void =>
    void draft.rows({ filter: 'all', sort: 'path', descending: false, offset, limit: 50 });
  const warned = () =>
    draft.rows({ filter: 'problems', descending: false, offset: 0, limit: 1000 }).rows.map(({ name }) => name);

  for (let offset = 0; offset < names.length; offset += 50) look(offset);
  // Of the last 250 rows, 799 is checked last, because rows that came into view last are checked first.
  await expect.poll(warned).toEqual(['799']);
  look(0);
  await expect.poll(warned).toEqual(['000', '799']);
});

/** Files beside a folder. The first of them is named after an assignment (`named`), and two are empty. */
const looseFiles = (): FolderTree => {
  const tree = treeOf(['b/x.txt']);
  const add = (path: string, sizeBytes: number): void => tree.addFiles(0, [{ path, sizeBytes, modifiedMs: 0 }]);
  for (const path of ['Elveveien 9, Bergen.txt', 'empty.txt']) add(path, 0);
  for (const path of ['a.txt', 'b.txt']) add(path, 1);
  return tree;
};
const looseIn = (draft: OpenDraft) => everyRow(draft).find(({ fileNames }) => fileNames?.includes('a.txt'));

test('a file that gets a row of its own is no longer left out of the row that it was in', async () => {
  const draft = await draftOf(looseFiles(), { isUpdated: false, isReviewed: true });
  expect(looseIn(draft)).toMatchObject({ files: 2, leftOut: { files: 2 } });
  draft.targets([stored(named)]);
  await update(draft);
  expect(looseIn(draft)).toMatchObject({ files: 2, leftOut: { files: 1 } });
});

test('a row is compared again once a file of it has a row of its own', async () => {
  const compare = async ({ sources }: GroupSources): Promise<readonly ComparedFiles[]> =>
    sources.map(({ only = [] }) => ({ sent: Uint32Array.from(only.keys()), clashes: new Uint32Array() }));
  const draft = await draftOf(looseFiles(), { compare });
  draft.assign({ rowIds: [looseIn(draft)?.rowId ?? 0], AssignmentId: ids[0] ?? '' });
  const counts = () => [looseIn(draft)?.sent.files, looseIn(draft)?.toSend.files];
  await expect.poll(counts).toEqual([4, 0]);
  draft.targets([stored(named)]);
  await update(draft);
  // Once more folders are scanned, the files are divided again.
  await draft.add({ sources: [{ root: '/gone', name: 'gone' }] });
  await expect.poll(counts).toEqual([3, 0]);
});

test('a folder that cannot be read now is compared with nothing, and is no bug', async () => {
  const bugs: unknown[] = [];
  const response = Promise.withResolvers<never>();
  const onBug = (error: unknown) => bugs.push(error);
  const draft = await draftOf(['a.txt'], { AssignmentId: ids[0] ?? '', compare: () => response.promise, onBug });
  expect(draft.view()).toMatchObject({ comparing: 1, sent: { files: 0 } });
  response.reject(new DeskError('upload/folder-unreadable', 'the folder cannot be read'));
  await expect.poll(() => draft.view()).toMatchObject({ comparing: 0, sent: { files: 0 }, toSend: { files: 1 } });
  expect(bugs).toEqual([]);
});

test('a row is compared once its list of files can be written', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const directory = mkdtempSync(join(tmpdir(), 'draft-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const lists = join(directory, 'lists');
  writeFileSync(lists, 'There is no room for a folder.');
  const tree = createFolderTree({ list: createReviewedList(lists, ids[0]) });
  const source = tree.addSource({ root: '/chosen', name: 'chosen' });
  tree.addFolder(source, { below: '', identity: { id: '1', bornMs: 0 } });
  tree.addFiles(source, [{ path: 'a.txt', sizeBytes: 1, modifiedMs: 0 }]);
  const compare = async () => {
    expect(existsSync(join(lists, `${ids[0]}.jsonl`))).toBe(true);
    return [{ sent: Uint32Array.of(0), clashes: new Uint32Array() }];
  };
  const bugs: unknown[] = [];
  const onBug = (error: unknown) => bugs.push(error);
  const draft = await draftOf(tree, { AssignmentId: ids[0] ?? '', compare, onBug });
  const looked = async () => {
    draft.view();
    await vi.advanceTimersByTimeAsync(10_000);
    return draft.view();
  };
  expect(await looked()).toMatchObject({ comparing: 0, sent: { files: 0 }, toSend: { files: 1 } });
  rmSync(lists);
  expect(await looked()).toMatchObject({ comparing: 0, sent: { files: 1 }, toSend: { files: 0 } });
  expect(bugs).toEqual([]);
});

test('a row whose files stay the same is compared once, although folders are added', async () => {
  let comparisons = 0;
  const compare = async () => {
    comparisons += 1;
    return [{ sent: Uint32Array.of(0), clashes: new Uint32Array() }];
  };
  const draft = await draftOf(['a.txt'], { AssignmentId: ids[0] ?? '', compare });
  await expect.poll(() => draft.view()).toMatchObject({ comparing: 0, sent: { files: 1 } });
  draft.add({ sources: [{ root: '/chosen', name: 'chosen' }] });
  await settled(draft);
  expect(draft.view()).toMatchObject({ comparing: 0, sent: { files: 1 } });
  expect(comparisons).toBe(1);
});

test('clashes of a row that is not sent again are left out of what a start sends, whatever the files are called', async () => {
  const files = ['constructor', 'toString', 'valueOf'];
  const compare = async () => [{ sent: new Uint32Array(), clashes: Uint32Array.from(files.keys()) }];
  const draft = await draftOf(files, { AssignmentId: ids[0] ?? '', compare });
  const toSend = () => draft.view().toSend.files;
  const [rowId = 0] = rowIdsOf(draft);
  const warned = () => draft.rows({ filter: 'all', descending: false, offset: 0, limit: 1 }).rows[0]?.warnings;
  const choices = { rename: 3, skip: 0, replace: 0 };
  await expect.poll(warned).toEqual([{ kind: 'clash', files: 3, choices }]);
  expect(draft.view().clashes).toEqual(choices);
  expect(toSend()).toBe(3);
  draft.setClash({ rowId, onClash: 'skip' });
  expect(toSend()).toBe(0);
  draft.setClash({ rowId, onClash: 'rename', paths: ['constructor'] });
  expect(toSend()).toBe(1);
  expect(draft.view().clashes).toEqual({ rename: 1, skip: 2, replace: 0 });
});

test('a file that nothing names stays undecided when the file beside it gets a row of its own', async () => {
  const assignments = [targetAt(12, 'Storgata 4', 'Bergen')];
  const draft = await draftOf(['Storgata 4/x.pdf', 'Elveveien 9 report.pdf', 'notes.pdf'], { assignments });
  const rows = () => draft.rows({ filter: 'undecided', descending: false, offset: 0, limit: 10 }).rows;
  expect(rows()).toMatchObject([{ fileNames: ['Elveveien 9 report.pdf', 'notes.pdf'] }]);
  draft.targets([stored(named)]);
  await update(draft);
  expect(rows()).toMatchObject([{ fileNames: ['notes.pdf'], candidates: 0 }]);
});

test('proposals are accepted together and undone together, except where the user has to choose', async () => {
  const draft = await draftOf(
    [
      'Elveveien 9/a.txt',
      'Elvev 9/a.txt',
      'Storgata 5/a.txt',
      'Kirkegata 3/a.txt',
      'Skolegata 7 Skolegata 8/a.txt',
      'x/a.txt',
      'Elveveien/a.txt',
      'Skolegata 9/a.txt',
      'Elveveien Bergen/a.txt',
      'Storgata Oslo/a.txt',
    ],
    {
      assignments: [
        named,
        targetAt(21, 'Storgata 5', 'Bergen'),
        targetAt(22, 'Storgata 5', 'Oslo'),
        targetAt(31, 'Kirkegata 3', 'Bergen', { AssignmentStatus: 'COMPLETED' }),
        targetAt(41, 'Skolegata 7', 'Bergen'),
        targetAt(42, 'Skolegata 8', 'Bergen'),
      ],
    },
  );
  draft.setLevel({ level: 1 });
  const undecided = () =>
    draft.rows({ filter: 'undecided', descending: false, offset: 0, limit: 50 }).rows.map(({ name }) => name);
  const before = undecided();
  expect(before).toEqual(expect.arrayContaining(['Elveveien', 'Elveveien Bergen', 'Storgata Oslo']));
  expect(draft.accept({ rowIds: rowIdsOf(draft) })).toEqual({ accepted: 3, left: 5 });
  // The reasons: a closed assignment, two addresses in one name, an unknown number, two towns, and no address at all.
  expect(undecided()).toEqual(['Kirkegata 3', 'Skolegata 7 Skolegata 8', 'Skolegata 9', 'Storgata 5', 'x']);
  expect(draft.accept({ rowIds: rowIdsOf(draft) }), 'again').toEqual({ accepted: 0, left: 5 });
  expect(draft.undo()).toEqual({ kind: 'accept', count: 3 });
  expect(undecided()).toEqual(before);
});

test('undoing returns the change that was undone, with the only row or file that it was about', async () => {
  const draft = await draftOf(['Elveveien 9/a.txt', 'Elveveien 9/b.txt', 'x/a.txt'], { assignments: [named] });
  draft.setLevel({ level: 1 });
  const [first = 0, second = 0] = draft
    .rows({ filter: 'all', descending: false, offset: 0, limit: 9, sort: 'path' })
    .rows.map(({ rowId }) => rowId);
  const { AssignmentId } = named;
  draft.assign({ rowIds: [first], AssignmentId });
  draft.leaveOut({ rowIds: [first, second] });
  draft.include({ rowIds: [second] });
  draft.setFiles({ rowId: first, paths: ['b.txt'], isIncluded: false });
  draft.setFiles({ rowId: first, isIncluded: true });
  draft.setClash({ rowId: first, onClash: 'skip' });
  expect([1, 2, 3, 4, 5, 6, 7, 8].map(draft.undo)).toMatchObject([
    { kind: 'clash' },
    { kind: 'includeFiles', count: 1 },
    { kind: 'leaveOut', path: 'b.txt' },
    { kind: 'include', count: 1, row: { name: 'x', choice: 'left-out' } },
    { kind: 'leaveOut', count: 2 },
    { kind: 'assign', row: { name: 'Elveveien 9' }, AssignmentId, assignment: { AssignmentId } },
    { kind: 'scope' },
    undefined,
  ]);
});

test('folders that were started are counted at no level', async () => {
  const draft = await draftOf(['a/1/x.txt', 'a/2/x.txt', 'b/1/x.txt', 'b/x.txt']);
  draft.setLevel({ level: 1 });
  const levels = () => draft.view().levels.map(({ folders }) => folders);
  expect(levels()).toEqual([1, 2, 3]);
  draft.assign({ rowIds: rowIdsOf(draft).slice(0, 1), AssignmentId: ids[0] ?? '' });
  draft.started(draft.plan().rows.map(({ rowId }) => rowId));
  expect(levels()).toEqual([1, 1, 1]);
  expect(everyRow(draft)).toHaveLength(1);
});

test('a folder that was started and is added again, to another assignment, is in the draft once more', async () => {
  const [wrong = '', right = ''] = ids;
  const draft = await draftOf(['a/x.txt', 'a/1/x.txt', 'b/x.txt', 'c/x.txt']);
  draft.setLevel({ level: 1 });
  draft.assign({ rowIds: rowIdsOf(draft), AssignmentId: wrong });
  draft.started(draft.plan().rows.map(({ rowId }) => rowId));
  expect(everyRow(draft)).toEqual([]);
  const again = [
    { root: '/chosen/a', name: 'a' },
    { root: '/chosen/b/x.txt', name: 'x.txt' },
  ];
  draft.add({ sources: again, AssignmentId: right });
  await settled(draft);
  const planned = () =>
    draft.plan().rows.map(({ path, upload: { assignmentId } }) => [path, assignmentId === right ? 'right' : 'wrong']);
  expect(planned(), 'of b, only a part was added').toEqual([['chosen/a', 'right']]);
  draft.add({ sources: [{ root: '/chosen', name: 'chosen' }] });
  await settled(draft);
  expect(planned(), 'nobody has decided about the others').toEqual([['chosen/a', 'right']]);
  expect(everyRow(draft)).toHaveLength(3);
});

test('files of a folder that was started are in the draft once more if only they are added again', async () => {
  const [assignment = ''] = ids;
  const draft = await draftOf(['a/x.txt', 'a/y.txt', 'a/1/x.txt', 'a/1/y.txt', 'b/x.txt']);
  draft.setLevel({ level: 1 });
  const [row] = everyRow(draft);
  draft.assign({ rowIds: row ? [row.rowId] : [], AssignmentId: assignment });
  draft.started(draft.plan().rows.map(({ rowId }) => rowId));
  draft.add({ sources: [{ root: '/chosen/a', name: 'a', only: ['x.txt', '1/y.txt'] }], AssignmentId: assignment });
  await settled(draft);
  const planned = () => draft.plan().rows.map(({ path, upload: { only } }) => [path, only]);
  expect(planned()).toEqual([
    ['chosen/a', ['x.txt']],
    ['chosen/a/1', ['y.txt']],
  ]);
  draft.add({ sources: [{ root: '/chosen', name: 'chosen' }] });
  await settled(draft);
  expect(everyRow(draft).map(({ path, files }) => [path, files])).toEqual([
    ['chosen/a', 4],
    ['chosen/b', 1],
  ]);
});

test('what is added to a continued draft, or started from it, has not changed since it was stored', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'draft-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const files = ['a/x.txt', 'b/x.txt', 'c/x.txt'];
  const owner = { connectionId: 'c' };
  const storage = { path: keptDraftPath(directory, owner), owner };
  await (await draftOf(files, { storage })).end();
  const kept = (await readKeptDraft(directory, owner)) ?? expect.unreachable();
  const tree = treeOf([...files, 'c/later.txt']);
  const add = (name: string): void =>
    tree.addFiles(tree.addSource({ root: `/${name}`, name }), [{ path: 'x.txt', sizeBytes: 1, modifiedMs: 0 }]);
  add('added');
  const draft = await draftOf(tree, { storage: { ...storage, kept } });
  expect(draft.view().resumed).toEqual({ atMs: kept.savedAtMs, changed: 1 });
  add('later');
  draft.assign({ rowIds: rowIdsOf(draft).slice(0, 1), AssignmentId: ids[0] ?? '' });
  draft.started(draft.plan().rows.map(({ rowId }) => rowId));
  expect(draft.view().resumed).toEqual({ atMs: kept.savedAtMs, changed: 1 });
  await draft.end();
});

test('a draft that was stored before its folders were scanned is continued without a count of changed folders', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'draft-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const owner = { connectionId: 'c' };
  const storage = { path: keptDraftPath(directory, owner), owner };
  const scan: FolderTree['scan'] = (_, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  await opened({ ...createFolderTree(), scan }, { storage, sources: [{ root: '/chosen', name: 'chosen' }] }).end();
  const kept = (await readKeptDraft(directory, owner)) ?? expect.unreachable();
  const continued = await draftOf(['a/x.txt', 'b/x.txt'], { storage: { ...storage, kept } });
  expect(continued.view().resumed).toEqual({ atMs: kept.savedAtMs, changed: 0 });
  await continued.end();
});

test('choices about folders below one that cannot be read now stay stored', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'draft-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const owner = { connectionId: 'c' };
  const storage = { path: keptDraftPath(directory, owner), owner };
  const keptNow = async () => (await readKeptDraft(directory, owner)) ?? expect.unreachable();
  const first = await draftOf(['2026/a/x.txt', '2025/b/x.txt'], { storage });
  first.setLevel({ level: 2 });
  first.leaveOut({ rowIds: rowIdsOf(first) });
  await first.end();
  const tree = treeOf(['c/x.txt']);
  const unreadable = tree.addFolder(0, { below: '2026/', identity: { id: '1', bornMs: 0 } });
  Object.assign(unreadable, { own: { ...unreadable.own, unreadable: 1 } });
  const kept = await keptNow();
  expect(kept.decisions.map(({ below }) => below)).toEqual(expect.arrayContaining(['2026/a', '2025/b']));
  await (await draftOf(tree, { storage: { ...storage, kept } })).end();
  expect((await keptNow()).decisions.map(({ below }) => below)).toEqual(['2026/a']);
});

test('a stored draft whose choices about files cannot be read is not continued, but kept and reported', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'draft-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const owner = { connectionId: 'c' };
  const storage = { path: keptDraftPath(directory, owner), owner };
  await (await draftOf(['a/x.txt'], { storage })).end();
  const stored = (await readKeptDraft(directory, owner)) ?? expect.unreachable();
  const files = [{ source: 0, below: 'a/x.txt', isIncluded: false }];
  writeFileSync(storage.path, JSON.stringify({ ...stored, files }));
  const damaged = readFileSync(storage.path);
  const error = await readKeptDraft(directory, owner).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'data/moved-aside' });
  expect(readFileSync(error.details.file)).toEqual(damaged);
  expect(await readKeptDraft(directory, owner)).toBeUndefined();
});

test('a list of assignments that arrives while words are learnt is the one that they are learnt with', async () => {
  const places = ['Storgata 5', 'Kirkegata 3', 'Skolegata 7'];
  const inTown = (City: string) => places.map((place, at) => stored(targetAt(at + 1, place, City)));
  const wrong: number[] = [];
  for (let turns = 0; turns < 30; turns += 1) {
    const matching = createMatching({
      start: {},
      tree: treeOf(places.map((place) => `${place} Oslo Sentrum/a.txt`)),
      rules: new Map(),
      rows: () => [],
      isScanning: () => false,
      onChange: () => {},
      onMatched: () => {},
      onProgress: () => {},
      prepare: () => [],
      onReason: () => expect.unreachable(),
      signal: new AbortController().signal,
      onBug: (error) => expect.unreachable(String(error)),
    });
    const { targets, updated, certain } = matching.calls;
    const arrive = async (City: string): Promise<void> => {
      targets(inTown(City));
      updated({ isPartial: false, isReading: false });
      await certain();
    };
    const learnt = () => [...(matching.options().notTowns?.behind ?? [])];
    await arrive('Oslo');
    expect(learnt()).toEqual(['sentrum']);
    const arrived = arrive('Oslo Sentrum');
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    matching.matchAll();
    await arrived;
    while (matching.phase() !== 'ready') await setImmediate();
    if (learnt().length > 0) wrong.push(turns);
  }
  expect(wrong).toEqual([]);
});

test('an accepted proposal holds for one upload only, until the user decides about its folder', async () => {
  const draft = await draftOf(['Elveveien/a.txt', 'Storgata/a.txt'], {
    assignments: [named, targetAt(21, 'Storgata 5', 'Bergen')],
  });
  draft.setLevel({ level: 1 });
  const rowIds = rowIdsOf(draft);
  expect(draft.accept({ rowIds })).toEqual({ accepted: 2, left: 0 });
  const decided = () => draft.plan().rows.map(({ isDecided }) => isDecided);
  expect(decided()).toEqual([false, false]);
  draft.assign({ rowIds: rowIds.slice(0, 1), AssignmentId: named.AssignmentId });
  expect(decided()).toEqual([true, false]);
});

test('rows stay where they are while lists are read, and only then those without an assignment come first', async () => {
  const draft = await draftOf(['Elveveien 9/a.txt', 'Storgata 5/a.txt'], { isUpdated: false });
  draft.setLevel({ level: 1 });
  const shown = () =>
    draft
      .rows({ filter: 'all', descending: false, offset: 0, limit: 9 })
      .rows.map(({ name, choice }) => [name, choice]);
  draft.begin({ isReading: true });
  draft.targets([stored(named)]);
  draft.unread([{ InspectionProtocolId: 'P', Address: 'Storgata 5', City: 'Oslo', ZipCode: '', FacilityId: '' }]);
  draft.updated({ isPartial: false, isReading: true });
  await draft.certain();
  expect(shown()).toEqual([
    ['Elveveien 9', 'assignment'],
    ['Storgata 5', 'undecided'],
  ]);
  expect(draft.view().phase).toBe('updating');
  draft.read({ InspectionProtocolId: 'P', targets: [] });
  await update(draft);
  expect(shown()).toEqual([
    ['Storgata 5', 'undecided'],
    ['Elveveien 9', 'assignment'],
  ]);
});

test('changed files replace their earlier versions unless the user skips taken names, and nothing on another assignment', async () => {
  const [one = '', other = ''] = ids;
  const tree = createFolderTree();
  const only = ['x.txt', 'y.txt'];
  const source = tree.addSource({ root: '/chosen', name: 'chosen', only, AssignmentId: one, replaces: ['x.txt'] });
  tree.addFiles(
    source,
    only.map((path) => ({ path, sizeBytes: 1, modifiedMs: 0 })),
  );
  const draft = await draftOf(tree);
  const planned = () => draft.plan().rows.map(({ upload }) => [upload.assignmentId, upload.clashChoices]);
  expect(planned()).toEqual([[one, { 'x.txt': 'replace' }]]);
  draft.setNames({ nameTemplate: '{name}', onClash: 'skip' });
  expect(planned()).toEqual([[one, {}]]);
  draft.setNames({ nameTemplate: '{name}', onClash: 'rename' });
  draft.setTarget({ AssignmentId: other });
  expect(planned()).toEqual([[other, {}]]);
});

test('the names of the whole draft are those of one assignment if the rows of others have no files', async () => {
  const draft = await draftOf(['a/x.txt', 'b/x.txt']);
  draft.setLevel({ level: 1 });
  const [first = 0, second = 0] = rowIdsOf(draft);
  draft.assign({ rowIds: [first], AssignmentId: ids[0] ?? '' });
  draft.assign({ rowIds: [second], AssignmentId: ids[1] ?? '' });
  expect(draft.clashSources({})).toBeUndefined();
  draft.setFiles({ rowId: second, paths: ['x.txt'], isIncluded: false });
  expect(draft.view().chosen.assignments).toBe(1);
  expect(draft.clashSources({})).toMatchObject({ assignmentId: ids[0] });
});

test('finds a row by its id or folder, and the next undecided one from an index on, continuing at the beginning', async () => {
  const draft = await draftOf(['a/x.txt', 'b/x.txt', 'c/x.txt', 'd/x.txt']);
  draft.setLevel({ level: 1 });
  const sorted = { filter: 'all', sort: 'path', descending: false } as const;
  const { rows } = draft.rows({ ...sorted, offset: 0, limit: 9 });
  const ids = rows.map(({ rowId }) => rowId);
  draft.leaveOut({ rowIds: [ids[0] ?? 0, ids[2] ?? 0] });
  const next = (from: number) => draft.find({ ...sorted, from }).found?.index;
  expect([0, 1, 2, 3, 4, 9].map(next)).toEqual([1, 1, 3, 3, 1, 1]);
  expect(draft.find({ ...sorted, rowId: ids[2], from: 0 })).toMatchObject({ found: { index: 2 }, total: 4 });
  expect(draft.find({ ...sorted, filter: 'undecided', rowId: ids[2], from: 0 })).toEqual({ total: 2 });
  expect(draft.find({ ...sorted, chosen: rows[2]?.path, from: 0 })).toMatchObject({ found: { index: 2 } });
  draft.leaveOut({ rowIds: ids });
  expect(draft.find({ ...sorted, from: 0 })).toEqual({ total: 4 });
});

test('an assignment that the lists no longer have matches no folder, but is shown where the user chose it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const [gone, other, chosen] = [named, targetAt(21, 'Storgata 5', 'Bergen'), targetAt(22, 'Kirkegata 3', 'Bergen')];
  const draft = await draftOf(['Elveveien 9/a.txt', 'Storgata 5/a.txt', 'Kirkegata 3/a.txt'], { isUpdated: false });
  const idOf = (path: string) =>
    draft.matches().find((row) => row.path === path)?.AssignmentId ?? expect.unreachable(path);
  const found = () => draft.matches().flatMap(({ path, candidates }) => (candidates.length === 0 ? [] : [path]));

  draft.begin({ isReading: true });
  draft.targets([stored(gone, 'P'), stored(other, 'Q'), stored(chosen)]);
  draft.skipUpdate();
  await draft.certain();
  await settled(draft);
  expect(found(), 'before all lists are there').toHaveLength(3);
  await update(draft);
  expect(found()).toHaveLength(3);

  // Protocol P now has another assignment at the same address.
  const instead = targetAt(23, gone.Address, gone.City);
  draft.read({ InspectionProtocolId: 'P', targets: [stored(instead, 'P')] });
  await update(draft);
  expect(idOf('Elveveien 9')).toBe(instead.AssignmentId);
  draft.read({ InspectionProtocolId: 'P', targets: [] });
  await update(draft);
  expect(found()).toEqual(['Kirkegata 3', 'Storgata 5']);

  // All lists are handed over again, without the last assignment.
  const row = everyRow(draft).find(({ name }) => name === 'Kirkegata 3') ?? expect.unreachable();
  draft.assign({ rowIds: [row.rowId], AssignmentId: chosen.AssignmentId });
  draft.begin({ isReading: false });
  draft.read({ InspectionProtocolId: 'R', targets: [] });
  await vi.advanceTimersByTimeAsync(60_000);
  await draft.certain();
  expect(found(), 'until all lists are there').toEqual(['Kirkegata 3', 'Storgata 5']);
  draft.targets([stored(other, 'Q')]);
  await update(draft);
  expect(found()).toEqual(['Storgata 5']);
  expect(draft.matches().find(({ path }) => path === 'Kirkegata 3')).toMatchObject({
    AssignmentId: chosen.AssignmentId,
    assignment: { Address: 'Kirkegata 3' },
  });
});
