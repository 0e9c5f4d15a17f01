/** Tests any sequence of choices: no file is in two rows or sent twice, and undoing restores the earlier state. */

import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DraftPhase } from '../../../contract/drafts.ts';
import { DeskError } from '../../../contract/errors.ts';
import { finished } from '../../matching/match-index.ts';
import type { MatchTarget } from '../../matching/targets.ts';
import { targetAt } from '../../matching/testing/sample-targets.ts';
import { createReviewedList } from '../../uploads/source/scan.ts';
import type { ComparedFiles } from '../../uploads/transfer/names.ts';
import type { KeptDraft } from './choices.ts';
import { createDraftModel, type DraftModel, type PlannedRow } from './draft.ts';
import { createFolderTree, type FolderTree } from './folder-tree.ts';
import { createOpenChecks, MOST_IN_VIEW, readMap } from './rows.ts';

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

const index = ({ targets }: DraftModel): void => {
  targets.setPartial(false);
  finished(targets.finish({}));
};

type Given = {
  readonly map: string;
  readonly assignments: readonly MatchTarget[];
  /** Whether the assignments are indexed. Default: true. */
  readonly isIndexed: boolean;
  readonly phase: DraftPhase;
  readonly AssignmentId: string;
  readonly kept: KeptDraft;
  readonly tree: FolderTree;
  readonly compare: () => Promise<readonly ComparedFiles[]>;
  readonly onChange: () => void;
  readonly onBug: (error: unknown) => void;
};

const modelOf = (
  files: readonly string[],
  {
    map,
    assignments = [],
    isIndexed = true,
    phase = 'ready',
    AssignmentId,
    kept,
    tree = createFolderTree(),
    compare,
    ...given
  }: Partial<Given> = {},
): DraftModel => {
  const source = tree.addSource({ root: '/chosen', name: 'chosen' });
  for (const path of files) tree.addFiles(source, [{ path, sizeBytes: 1, modifiedMs: 0 }]);
  const mapped = map === undefined ? [] : readMap(map, tree, (id) => id).parts;
  const model = createDraftModel({
    start: {
      draftId: ids[0] ?? '',
      AssignmentId,
      ...(kept && { storage: { path: '', owner: { connectionId: 'c', subject: undefined }, kept } }),
    },
    tree,
    mapped: () => mapped,
    phase: () => phase,
    reason: () => undefined,
    isReading: () => false,
    hasFiles: () => compare !== undefined,
    compare: compare ?? (async () => []),
    leftOutAtMs: () => undefined,
    signal: new AbortController().signal,
    onChange: () => {},
    onDecision: () => {},
    onBug: () => {},
    ...given,
  });
  model.targets.add(assignments.map((one) => ({ value: JSON.stringify(one), fetchedAtMs: 0 })));
  if (isIndexed) index(model);
  return model;
};

/** The files that an upload of these rows would read. */
const filesIn = (rows: readonly Pick<PlannedRow, 'upload'>[], files: readonly string[]): readonly string[] =>
  rows.flatMap(({ upload: { root, only } }) => {
    const prefix = `${root}/`.slice('/chosen/'.length);
    return only ? only.map((name) => prefix + name) : files.filter((path) => path.startsWith(prefix));
  });

const rowIdsOf = (model: DraftModel): readonly number[] => model.everyRow().map(({ rowId }) => rowId);
const some = (all: readonly number[], seed: number): readonly number[] =>
  all.filter((_, at) => (seed >> (at % 16)) & 1);

const step = fc.record({
  act: fc.constantFrom('assign', 'leaveOut', 'include', 'setLevel', 'undo', 'start'),
  seed: fc.nat(65_535),
});

test('each file is in exactly one row, at every level', () => {
  fc.assert(
    fc.property(paths, fc.nat(6), (files, level) => {
      const model = modelOf(files);
      model.calls.setLevel({ level });
      model.calls.assign({ rowIds: rowIdsOf(model), AssignmentId: ids[0] ?? '' });
      expect(filesIn(model.plan(), files).toSorted()).toEqual(files.toSorted());
    }),
  );
});

test('no file is sent twice, whatever is chosen, at whatever level, in any order', () => {
  fc.assert(
    fc.property(paths, fc.array(step, { maxLength: 20 }), (files, steps) => {
      const model = modelOf(files);
      const sent: string[] = [];
      for (const { act, seed } of steps) {
        const rowIds = some(rowIdsOf(model), seed);
        if (act === 'setLevel') model.calls.setLevel({ level: seed % 6 });
        else if (act === 'undo') model.calls.undo();
        else if (act === 'start') {
          const planned = model.plan().filter((_, at) => (seed >> (at % 16)) & 1);
          sent.push(...filesIn(planned, files));
          // While the upload starts, lists that arrive may divide the folders into other rows.
          if (seed % 3 === 0) model.calls.setLevel({ level: seed % 5 });
          model.started(planned.map(({ rowId }) => rowId));
        } else if (rowIds.length > 0) {
          if (act === 'assign') model.calls.assign({ rowIds, AssignmentId: ids[seed % 3] ?? '' });
          else model.calls[act]({ rowIds });
        }
        const planned = filesIn(model.plan(), files);
        expect(new Set([...sent, ...planned]).size).toBe(sent.length + planned.length);
      }
      model.calls.assign({ rowIds: rowIdsOf(model), AssignmentId: ids[0] ?? '' });
      expect([...sent, ...filesIn(model.plan(), files)].toSorted()).toEqual(files.toSorted());
    }),
  );
});

test('each file goes where the folder around it was added for last, unless its row was decided, in any order', () => {
  const folder = fc.array(fc.constantFrom('a', 'b', 'Elveveien 9', 'photos'), { maxLength: 3 });
  const given = fc.record({ folder: folder.map((names) => ['/chosen', ...names].join('/')), seed: fc.nat(65_535) });
  fc.assert(
    fc.property(paths, fc.array(given, { maxLength: 6 }), fc.nat(65_535), fc.nat(6), (files, all, seed, decideAt) => {
      const model = modelOf(files, { AssignmentId: ids[0] ?? '' });
      // At the deepest level, no row has files in two folders.
      model.calls.setLevel({ level: 6 });
      const decided = some(rowIdsOf(model), seed);
      const decide = () => decided.length > 0 && model.calls.assign({ rowIds: decided, AssignmentId: 'decided' });
      for (const [at, { folder: root, seed: id }] of all.entries()) {
        if (at === decideAt) decide();
        model.add([{ root, name: '' }], ids[id % 3]);
      }
      if (decideAt >= all.length) decide();
      model.changed();
      const givenTo = (file: string) => all.findLast(({ folder: root }) => `/chosen/${file}`.startsWith(`${root}/`));
      for (const row of model.plan()) {
        for (const file of filesIn([row], files)) {
          const last = givenTo(file);
          const expected = decided.includes(row.rowId) ? 'decided' : ids[last ? last.seed % 3 : 0];
          expect(row.upload.assignmentId).toBe(expected);
        }
      }
    }),
  );
});

test('what is undone is as it was', () => {
  fc.assert(
    fc.property(paths, fc.array(step, { maxLength: 12 }), (files, steps) => {
      const model = modelOf(files);
      const shown = () => {
        const { revision: _, canUndo: __, ...draft } = model.view();
        const window = { filter: 'all', descending: false, offset: 0, limit: 100 } as const;
        return { draft, rows: model.calls.rows(window) };
      };
      const before = [shown()];
      for (const { act, seed } of steps) {
        const rowIds = some(rowIdsOf(model), seed);
        if (act === 'setLevel') model.calls.setLevel({ level: seed % 6 });
        else if (rowIds.length === 0 || act === 'undo' || act === 'start') continue;
        else if (act === 'assign') model.calls.assign({ rowIds, AssignmentId: ids[seed % 3] ?? '' });
        else model.calls[act]({ rowIds });
        before.push(shown());
      }
      for (const state of before.toReversed().slice(1)) {
        model.calls.undo();
        expect(shown()).toEqual(state);
      }
    }),
  );
});

const mapLines = fc.array(fc.tuple(fc.nat(), fc.nat(2)), { minLength: 1, maxLength: 6 });
const level = fc.option(fc.nat(5), { nil: undefined });

test('a map file wins over names, at every level: its folders go where it says, without those that it names inside them', () => {
  fc.assert(
    fc.property(paths, mapLines, level, (files, lines, cut) => {
      const folders = [...new Set(files.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '.'))];
      const chosen = new Map(lines.map(([at, id]) => [folders[at % folders.length] ?? '.', ids[id] ?? '']));
      const text = ['path,assignment', ...[...chosen].map(([path, id]) => `"${path}",${id}`)].join('\n');
      const model = modelOf(files, { map: text, assignments: [named] });
      if (cut !== undefined) model.calls.setLevel({ level: cut });
      const goesTo = (path: string): string | undefined => {
        for (let folder = path; folder !== ''; ) {
          folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
          const id = chosen.get(folder || '.');
          if (id !== undefined) return id;
        }
        return undefined;
      };
      const planned = model.plan();
      const found = planned.flatMap((row) => filesIn([row], files).map((path) => [path, row.upload.assignmentId]));
      const byMap = files.flatMap((path) => (goesTo(path) === undefined ? [] : [[path, goesTo(path)]]));
      expect(found.filter(([, id]) => id !== named.AssignmentId).toSorted()).toEqual(byMap.toSorted());
      // Files that the map does not name may go to the assignment that their names match.
      const byName = found.filter(([, id]) => id === named.AssignmentId);
      expect(byName.filter(([path = '']) => goesTo(path) !== undefined || !path.includes('Elveveien 9'))).toEqual([]);
    }),
  );
});

test('B5: a folder that a map file names is a question if its name is not what it looks like', () => {
  const name = 'Elveveien 9\u200b7';
  const model = modelOf([`${name}/x.txt`, 'a/y.txt'], { map: `path,assignment\n${name},${ids[0]}\na,${ids[1]}` });
  expect(model.plan().map(({ upload }) => upload.assignmentId)).toEqual([ids[1]]);
  const asked = model.calls.matches().find(({ path }) => path === name);
  expect(asked).toMatchObject({
    decision: 'ask',
    candidates: [{ AssignmentId: ids[0], reasons: [{ signal: 'map' }] }],
  });
  expect(asked?.reasons).toContainEqual(
    expect.objectContaining({ signal: 'characters', found: 'Elveveien 9⟨U+200B⟩7' }),
  );
});

test('names say where folders go that no map file names', () => {
  const model = modelOf(['Elveveien 9/x.txt', 'a/y.txt'], {
    map: `path,assignment\na,${ids[0]}`,
    assignments: [named],
  });
  const planned = model.plan().map(({ path, upload }) => [path, upload.assignmentId]);
  expect(planned).toEqual([
    ['chosen/a', ids[0]],
    ['chosen/Elveveien 9', named.AssignmentId],
  ]);
});

test('what goes to one assignment waits for no others; once they are known they warn, and change neither rows nor choices', () => {
  fc.assert(
    fc.property(paths, level, fc.nat(65_535), (files, cut, seed) => {
      const model = modelOf(files, {
        assignments: [named],
        isIndexed: false,
        phase: 'updating',
        AssignmentId: ids[0] ?? '',
      });
      if (cut !== undefined) model.calls.setLevel({ level: cut });
      const leftOut = some(rowIdsOf(model), seed);
      if (leftOut.length > 0) model.calls.leaveOut({ rowIds: leftOut });
      const before = model.plan();
      const counts = { total: rowIdsOf(model).length };
      expect(model.view()).toMatchObject({ phase: 'ready', isComparing: true, counts });
      index(model);
      model.changed();
      expect(model.plan()).toEqual(before);
      const { rows } = model.calls.rows({ filter: 'all', descending: false, offset: 0, limit: 100 });
      const isNamed = ({ path }: { readonly path: string }): boolean => path.endsWith('/Elveveien 9');
      const warned = rows.filter(({ warnings }) => warnings.some(({ kind }) => kind === 'other-assignment'));
      expect(warned).toEqual(expect.arrayContaining(rows.filter((row) => isNamed(row) && row.choice !== 'left-out')));
    }),
  );
});

/** Creates a file that cannot be opened: a link to itself. */
const unopenable = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'inspection-desk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync('locked.pdf', join(folder, 'locked.pdf'));
  return join(folder, 'locked.pdf');
};

const rowsFrom = (first: number, count: number) => Array.from({ length: count }, (_, at) => ({ rowId: first + at }));

test('rows that were scrolled past are checked when they are looked at again', async () => {
  const locked = unopenable();
  const inView = 50;
  const all = 20 * inView;
  const looked: number[] = [];
  const found = new Map<number, () => void>();
  const checks = createOpenChecks<{ readonly rowId: number }>({
    pathsOf: ({ rowId }) => {
      looked.push(rowId);
      return found.has(rowId) ? [locked] : [];
    },
    onFound: (rowId) => found.get(rowId)?.(),
    onBug: (error) => expect.fail(String(error)),
    signal: new AbortController().signal,
  });
  const whenFound = (rowId: number) => new Promise<void>((resolve) => found.set(rowId, resolve));

  // The row that is checked last, because rows that came into view last are checked first.
  const last = whenFound(all - MOST_IN_VIEW + inView - 1);
  for (let first = 0; first < all; first += inView) checks.look(rowsFrom(first, inView));
  await last;
  expect(looked[0]).toBe(all - inView);
  expect(looked.toSorted((a, b) => a - b)).toEqual(
    rowsFrom(all - MOST_IN_VIEW, MOST_IN_VIEW).map(({ rowId }) => rowId),
  );
  expect(checks.refusedOf(all - MOST_IN_VIEW + inView - 1)).toBe(1);

  const first = whenFound(0);
  checks.look(rowsFrom(0, inView));
  checks.look(rowsFrom(all - inView, inView));
  await first;
  expect(checks.refusedOf(0)).toBe(1);
  // No row is checked twice.
  expect(new Set(looked).size).toBe(looked.length);
});

test('a folder that cannot be read now is compared with nothing, and is no bug', async () => {
  const bugs: unknown[] = [];
  const found = Promise.withResolvers<void>();
  const compare = () => Promise.reject(new DeskError('upload/folder-unreadable', 'the folder cannot be read'));
  const onBug = (error: unknown) => bugs.push(error);
  const model = modelOf(['a.txt'], { AssignmentId: ids[0] ?? '', compare, onChange: found.resolve, onBug });
  expect(model.view()).toMatchObject({ comparing: 1, sent: { files: 0 } });
  await found.promise;
  await new Promise(setImmediate);
  expect(bugs).toEqual([]);
  expect(model.view()).toMatchObject({ comparing: 0, sent: { files: 0 }, toSend: { files: 1 } });
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
  const model = modelOf([], { AssignmentId: ids[0] ?? '', tree, compare, onBug });
  const looked = async () => {
    model.view();
    await vi.advanceTimersByTimeAsync(10_000);
    return model.view();
  };
  expect(await looked()).toMatchObject({ comparing: 0, sent: { files: 0 }, toSend: { files: 1 } });
  rmSync(lists);
  expect(await looked()).toMatchObject({ comparing: 0, sent: { files: 1 }, toSend: { files: 0 } });
  expect(bugs).toEqual([]);
});

test('clashes of a row that is not sent again are left out of what a start sends, whatever the files are called', async () => {
  const files = ['constructor', 'toString', 'valueOf'];
  const compare = async () => [{ sent: new Uint32Array(), clashes: Uint32Array.from(files.keys()) }];
  const model = modelOf(files, { AssignmentId: ids[0] ?? '', compare });
  const toSend = () => model.view().toSend.files;
  const [rowId = 0] = rowIdsOf(model);
  const warned = () => model.calls.rows({ filter: 'all', descending: false, offset: 0, limit: 1 }).rows[0]?.warnings;
  const choices = { rename: 3, skip: 0, replace: 0 };
  await expect.poll(warned).toEqual([{ kind: 'clash', files: 3, choices }]);
  expect(model.view().clashes).toEqual(choices);
  expect(toSend()).toBe(3);
  model.calls.setClash({ rowId, onClash: 'skip' });
  expect(toSend()).toBe(0);
  model.calls.setClash({ rowId, onClash: 'rename', paths: ['constructor'] });
  expect(toSend()).toBe(1);
  expect(model.view().clashes).toEqual({ rename: 1, skip: 2, replace: 0 });
});

test('a file that nothing names stays undecided when the file beside it gets a row of its own', () => {
  const assignments = [targetAt(12, 'Storgata 4', 'Bergen')];
  const model = modelOf(['Storgata 4/x.pdf', 'Elveveien 9 report.pdf', 'notes.pdf'], { assignments });
  const { targets } = model;
  const rows = () => model.calls.rows({ filter: 'undecided', descending: false, offset: 0, limit: 10 }).rows;
  expect(rows()).toMatchObject([{ fileNames: ['Elveveien 9 report.pdf', 'notes.pdf'] }]);
  targets.addNow({ value: JSON.stringify(named), fetchedAtMs: 0 });
  finished(targets.finish({}, model.everyRow));
  model.rematched();
  expect(rows()).toMatchObject([{ fileNames: ['notes.pdf'], candidates: 0 }]);
});

test('proposals are accepted together and undone together, except where the user has to choose', () => {
  const model = modelOf(
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
  model.calls.setLevel({ level: 1 });
  const undecided = () =>
    model.calls.rows({ filter: 'undecided', descending: false, offset: 0, limit: 50 }).rows.map(({ name }) => name);
  const before = undecided();
  expect(before).toEqual(expect.arrayContaining(['Elveveien', 'Elveveien Bergen', 'Storgata Oslo']));
  expect(model.calls.accept({ rowIds: rowIdsOf(model) })).toEqual({ accepted: 3, left: 5 });
  // A closed assignment, two addresses in one name, a number that fits no assignment, two towns, and nothing.
  expect(undecided()).toEqual(['Kirkegata 3', 'Skolegata 7 Skolegata 8', 'Skolegata 9', 'Storgata 5', 'x']);
  expect(model.calls.accept({ rowIds: rowIdsOf(model) }), 'again').toEqual({ accepted: 0, left: 5 });
  model.calls.undo();
  expect(undecided()).toEqual(before);
});

test('folders that were started are counted at no level', () => {
  const model = modelOf(['a/1/x.txt', 'a/2/x.txt', 'b/1/x.txt', 'b/x.txt']);
  model.calls.setLevel({ level: 1 });
  const levels = () => model.view().levels.map(({ folders }) => folders);
  expect(levels()).toEqual([1, 2, 3]);
  const [a] = model.everyRow();
  model.plan();
  model.started([a?.rowId ?? expect.unreachable()]);
  expect(levels()).toEqual([1, 1, 1]);
  expect(model.everyRow()).toHaveLength(1);
});

test('a folder that was started and is added again, to another assignment, is in the draft once more', () => {
  const [wrong = '', right = ''] = ids;
  const model = modelOf(['a/x.txt', 'a/1/x.txt', 'b/x.txt', 'c/x.txt']);
  model.calls.setLevel({ level: 1 });
  model.calls.assign({ rowIds: rowIdsOf(model), AssignmentId: wrong });
  model.started(model.plan().map(({ rowId }) => rowId));
  expect(model.everyRow()).toEqual([]);
  const again = [
    { root: '/chosen/a', name: 'a' },
    { root: '/chosen/b/x.txt', name: 'x.txt' },
  ];
  model.add(again, right);
  const planned = () =>
    model.plan().map(({ path, upload: { assignmentId } }) => [path, assignmentId === right ? 'right' : 'wrong']);
  expect(planned(), 'of b, only a part was added').toEqual([['chosen/a', 'right']]);
  model.add([{ root: '/chosen', name: 'chosen' }]);
  expect(planned(), 'nobody has decided about the others').toEqual([['chosen/a', 'right']]);
  expect(model.everyRow()).toHaveLength(3);
});

test('what is added to a continued draft, or started from it, has not changed since it was stored', () => {
  const files = ['a/x.txt', 'b/x.txt', 'c/x.txt'];
  const owner = { version: 1, connectionId: 'c', savedAtMs: 5 } as const;
  const kept = { ...owner, ...modelOf(files).stored() };
  const tree = createFolderTree();
  const model = modelOf([...files, 'c/later.txt'], { kept, tree });
  const add = (name: string): void =>
    tree.addFiles(tree.addSource({ root: `/${name}`, name }), [{ path: 'x.txt', sizeBytes: 1, modifiedMs: 0 }]);
  add('added');
  expect(model.view().resumed).toEqual({ atMs: 5, changed: 1 });
  add('later');
  model.plan();
  model.started(rowIdsOf(model).slice(0, 1));
  expect(model.view().resumed).toEqual({ atMs: 5, changed: 1 });
});

test('a list of assignments that arrives while words are learnt is the one that they are learnt with', () => {
  const places = ['Storgata 5', 'Kirkegata 3', 'Skolegata 7'];
  const files = places.map((place) => `${place} Oslo Sentrum/a.txt`);
  const inTown = (City: string) => places.map((place, at) => targetAt(at + 1, place, City));
  const { targets } = modelOf(files, { assignments: inTown('Oslo') });
  const learnt = () => [...(targets.options().notTowns?.behind ?? [])];
  expect(learnt()).toEqual(['sentrum']);
  const overtaken = targets.learn();
  overtaken.next();
  targets.add(inTown('Oslo Sentrum').map((one) => ({ value: JSON.stringify(one), fetchedAtMs: 0 })));
  finished(targets.finish({}));
  expect(learnt()).toEqual([]);
  finished(overtaken);
  expect(learnt()).toEqual([]);
});

test('an accepted proposal holds for one upload only, until the user decides about its folder', () => {
  const model = modelOf(['Elveveien/a.txt', 'Storgata/a.txt'], {
    assignments: [named, targetAt(21, 'Storgata 5', 'Bergen')],
  });
  model.calls.setLevel({ level: 1 });
  const rowIds = rowIdsOf(model);
  expect(model.calls.accept({ rowIds })).toEqual({ accepted: 2, left: 0 });
  const decided = () => model.plan().map(({ isDecided }) => isDecided);
  expect(decided()).toEqual([false, false]);
  model.calls.assign({ rowIds: rowIds.slice(0, 1), AssignmentId: named.AssignmentId });
  expect(decided()).toEqual([true, false]);
});

test('an assignment that the lists no longer have matches no folder, but is shown where the user chose it', () => {
  const [gone, other, chosen] = [named, targetAt(21, 'Storgata 5', 'Bergen'), targetAt(22, 'Kirkegata 3', 'Bergen')];
  const stored = (of: MatchTarget, InspectionProtocolId?: string) => ({
    value: JSON.stringify(of),
    fetchedAtMs: 0,
    ...(InspectionProtocolId && { InspectionProtocolId }),
  });
  const model = modelOf(['Elveveien 9/a.txt', 'Storgata 5/a.txt', 'Kirkegata 3/a.txt']);
  const { targets } = model;
  const lists = [stored(gone, 'P'), stored(other, 'Q'), stored(chosen)];
  const update = (): void => {
    finished(targets.finish({}, model.everyRow));
    model.rematched();
  };
  const idOf = (path: string) =>
    model.calls.matches().find((row) => row.path === path)?.AssignmentId ?? expect.unreachable(path);
  const found = () => model.calls.matches().flatMap(({ path, candidates }) => (candidates.length === 0 ? [] : [path]));

  targets.begin();
  targets.add(lists);
  update();
  expect(found(), 'before all lists are there').toHaveLength(3);
  targets.setPartial(false);
  update();
  expect(found()).toHaveLength(3);

  // Its protocol has another assignment at the same address now.
  const instead = targetAt(23, gone.Address, gone.City);
  targets.read('P', [stored(instead, 'P')]);
  update();
  expect(idOf('Elveveien 9')).toBe(instead.AssignmentId);
  targets.read('P', []);
  update();
  expect(found()).toEqual(['Kirkegata 3', 'Storgata 5']);

  // All lists are handed over again, without the last assignment.
  const row = model.everyRow().find(({ folder }) => folder.name === 'Kirkegata 3') ?? expect.unreachable();
  model.calls.assign({ rowIds: [row.rowId], AssignmentId: chosen.AssignmentId });
  targets.begin();
  update();
  expect(found(), 'until all lists are there').toEqual(['Kirkegata 3', 'Storgata 5']);
  targets.add([stored(other, 'Q')]);
  targets.setPartial(false);
  update();
  expect(found()).toEqual(['Storgata 5']);
  expect(model.calls.matches().find(({ path }) => path === 'Kirkegata 3')).toMatchObject({
    AssignmentId: chosen.AssignmentId,
    assignment: { Address: 'Kirkegata 3' },
  });
  expect(targets.idOf(chosen.AssignmentId)).toBeUndefined();
});
