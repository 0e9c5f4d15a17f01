import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { scanned } from '../source/testing/scanned.ts';
import type { Item } from './items.ts';
import type { Ledger } from './ledger.ts';
import { addBatch, addUploaded, openTestLedger } from './testing/ledger.ts';

const assignment = { connectionId: 'connection', assignmentId: 'assignment' };
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const uploaded = (key: string, atMs: number, fileName = `${key}.jpg`) => ({
  key,
  fileName,
  place: { root: '/Site A', path: `photos/${key}.jpg` },
  sizeBytes: 10,
  modifiedMs: 1.5,
  sha256: hashOf(key),
  atMs,
});
const answer = (...Files: { Key: string; FileName: string; UploadedBy: string }[]) => ({
  AssignmentId: 'assignment',
  FacilityId: 'f',
  Files,
});
const seen = (Key: string) => ({ Key, FileName: `${Key}.jpg`, UploadedBy: 'CUSTOMER' });
const known = ({ knownFiles }: Ledger) =>
  knownFiles.list(assignment).map(({ Key, source, UploadedBy }) => [Key, source, UploadedBy]);

test('files uploaded here are known, on their assignment and connection only', async () => {
  const ledger = openTestLedger();
  await ledger.commit(() => addUploaded(ledger, assignment, uploaded('a', 1)));
  expect(ledger.knownFiles.list(assignment)).toEqual([
    {
      Key: 'a',
      FileName: 'a.jpg',
      UploadedBy: '',
      source: 'uploaded-here',
      addedAtMs: 1,
      sizeBytes: 10,
      folder: 'Site A/photos',
    },
  ]);
  expect(ledger.knownFiles.list({ ...assignment, assignmentId: 'other' })).toEqual([]);
  expect(ledger.knownFiles.list({ ...assignment, connectionId: 'other' })).toEqual([]);
});

const error = { code: 'service/refused', message: 'no', retry: 'never', details: {} } as const;

test('a file that only the service has named has no further facts', async () => {
  const ledger = openTestLedger();
  await ledger.commit(() => ledger.knownFiles.listed(assignment, answer(seen('a')), 5, 6));
  expect(ledger.knownFiles.list(assignment)).toEqual([
    { Key: 'a', FileName: 'a.jpg', UploadedBy: 'CUSTOMER', source: 'seen-at-removal', addedAtMs: 6 },
  ]);
  expect(ledger.knownFiles.named(assignment, 'a.jpg')).toEqual([{ key: 'a', fileName: 'a.jpg', addedAtMs: 6 }]);
  expect(ledger.knownFiles.named(assignment, 'b.jpg')).toEqual([]);
});

test('files are listed by name, those of one name by Key', async () => {
  const ledger = openTestLedger();
  const named = ['c z', 'b y', 'a z', 'e x', 'd z', 'f y'].map((text) => text.split(' '));
  await ledger.commit(() => {
    for (const [key = '', fileName] of named) addUploaded(ledger, assignment, uploaded(key, 1, fileName));
  });
  expect(known(ledger).map(([key]) => key)).toEqual(['e', 'b', 'f', 'a', 'c', 'd']);
});

test.each([
  ['here', 'from its item'],
  ['here', 'from a row of its own'],
  ['by another computer', 'from its item'],
  ['by another computer', 'from a row of its own'],
])('when a replacement is removed %s that is known %s, what it should have replaced stays', async (where, how) => {
  const ledger = openTestLedger();
  const { replacedFiles, knownFiles } = ledger;
  const { batch, files } = await addBatch(ledger, [scanned('a.jpg')]);
  const [item = expect.unreachable()] = files;
  const { id } = item;
  await ledger.commit(() => {
    addUploaded(ledger, assignment, uploaded('old', 1));
    ledger.items.sending(id, 'new', 'url', 1);
    replacedFiles.plan(id, ['old']);
    ledger.items.done(id, hashOf('new'), undefined, 2);
    replacedFiles.release(id, 'new');
    knownFiles.overwritten(assignment, item, 'new', 2);
    if (how !== 'from its item') knownFiles.listed(assignment, answer(seen('old'), seen('new')), 2, 2);
    replacedFiles.failed(id, 'old', error);
    if (where === 'here') knownFiles.removed(assignment, 'new', 3);
    else knownFiles.listed(assignment, answer(seen('old')), 3, 4);
  });
  expect(await ledger.commit(() => replacedFiles.retry(batch))).toBe(0);
  expect([replacedFiles.pendingItems(batch, 1), replacedFiles.countFailed(batch)]).toEqual([[], 0]);
  expect(known(ledger).map(([key]) => key)).toEqual(['old']);
});

test.each([
  ['another assignment', { ...assignment, assignmentId: 'other' }],
  ['another connection', { ...assignment, connectionId: 'other' }],
])('a file that is to be removed does not hide the content of one with its Key on %s', async (_, other) => {
  const ledger = openTestLedger();
  const { items, replacedFiles, knownFiles } = ledger;
  const [{ id } = { id: 0 }] = (await addBatch(ledger, [scanned('new.jpg')])).files;
  await ledger.commit(() => {
    // On both assignments, the service has listed the file with the Key "1". On `other`, another file is known from its
    // item.
    for (const of of [assignment, other]) {
      addUploaded(ledger, of, uploaded('1', 1));
      knownFiles.listed(of, answer(seen('1')), 1, 1);
    }
    addUploaded(ledger, other, uploaded('1 too', 2, '1.jpg'));
    replacedFiles.plan(id, ['1', '1 too']);
    items.done(id, 'cd', undefined, 3);
    replacedFiles.release(id, '2');
    for (const key of ['1', '1 too']) replacedFiles.failed(id, key, error);
  });
  const contents = (of: typeof assignment) => knownFiles.named(of, '1.jpg').map(({ sha256 }) => sha256);
  expect(contents(assignment)).toEqual([undefined]);
  expect(contents(other)).toEqual([hashOf('1'), hashOf('1 too')]);
});

test('a check file that was not removed is counted, but its item does not count as replacing an earlier file', async () => {
  const ledger = openTestLedger();
  const { batch, files } = await addBatch(ledger, [scanned('a.jpg')]);
  const [item] = files;
  if (!item) throw new Error('no item');
  const { replacedFiles, commit } = ledger;
  await commit(() => {
    replacedFiles.addCheck(item.id, 'check');
    replacedFiles.failed(item.id, 'check', error);
  });
  expect(replacedFiles.countFailed(batch)).toBe(1);
  expect(replacedFiles.view(item)).not.toHaveProperty('replaced');
  await commit(() => replacedFiles.plan(item.id, ['earlier']));
  expect(replacedFiles.view(item).replaced).toEqual({ state: 'pending' });
});

describe('the answer to a removal', () => {
  test('adds the files it lists, removes the others, and records who uploaded them', async () => {
    const ledger = openTestLedger();
    await ledger.commit(() => {
      for (const key of ['a', 'gone']) addUploaded(ledger, assignment, uploaded(key, 1));
      ledger.knownFiles.listed(assignment, answer(seen('a'), seen('b')), 5, 6);
    });
    expect(known(ledger)).toEqual([
      ['a', 'uploaded-here', 'CUSTOMER'],
      ['b', 'seen-at-removal', 'CUSTOMER'],
    ]);
    expect(ledger.knownFiles.named(assignment, 'a.jpg').map(({ sha256 }) => sha256)).toEqual([hashOf('a')]);
  });

  test('does not remove files that arrived after the request', async () => {
    const ledger = openTestLedger();
    await ledger.commit(() => {
      addUploaded(ledger, assignment, uploaded('later', 7));
      ledger.knownFiles.listed(assignment, answer(), 5, 8);
    });
    expect(known(ledger)).toEqual([['later', 'uploaded-here', '']]);
  });

  test('does not make files known that were removed after the request', async () => {
    const ledger = openTestLedger();
    const other = { ...assignment, assignmentId: 'other' };
    const lists = (askedMs: number) =>
      ledger.commit(() => ledger.knownFiles.listed(assignment, answer(seen('a'), seen('b'), seen('c')), askedMs, 9));
    await ledger.commit(() => {
      ledger.knownFiles.removed(assignment, 'a', 5);
      ledger.knownFiles.removed(assignment, 'b', 6);
      ledger.knownFiles.removed(other, 'c', 7);
    });
    const keysAfter = async (askedMs: number) => {
      await lists(askedMs);
      return known(ledger).map(([key]) => key);
    };
    expect([await keysAfter(5), await keysAfter(6), await keysAfter(7)]).toEqual([['c'], ['a', 'c'], ['a', 'b', 'c']]);
  });

  test('may list a file before this app knows that it arrived; it still counts as uploaded here', async () => {
    const ledger = openTestLedger();
    await ledger.commit(() => {
      ledger.knownFiles.listed(assignment, answer(seen('a')), 5, 6);
      addUploaded(ledger, assignment, uploaded('a', 7));
    });
    expect(known(ledger)).toEqual([['a', 'uploaded-here', 'CUSTOMER']]);
    expect(ledger.knownFiles.named(assignment, 'a.jpg').map(({ sha256 }) => sha256)).toEqual([hashOf('a')]);
  });
});

test('files are found by name while they are there, with their content if it is known', async () => {
  const ledger = openTestLedger();
  await ledger.commit(() => {
    for (const key of ['a', 'b']) addUploaded(ledger, assignment, uploaded(key, 1, 'same.jpg'));
    ledger.knownFiles.listed(assignment, answer({ Key: 'c', FileName: 'same.jpg', UploadedBy: 'X' }, seen('d')), 0, 2);
  });
  expect(ledger.knownFiles.named(assignment, 'same.jpg').map(({ sha256 }) => sha256)).toEqual([
    undefined,
    hashOf('a'),
    hashOf('b'),
  ]);
  await ledger.commit(() => ledger.knownFiles.removed(assignment, 'a', 0));
  expect(ledger.knownFiles.named(assignment, 'same.jpg').map(({ key }) => key)).toEqual(['c', 'b']);
});

describe('a file that is known from its item', () => {
  /** Uploads `paths` as items of one batch; the Key of each is its path. */
  const upload = async (ledger: Ledger, ...paths: readonly string[]) => {
    const { batch, files } = await addBatch(
      ledger,
      paths.map((path) => scanned(path)),
    );
    await ledger.commit(() => {
      for (const [index, item] of files.entries()) {
        ledger.items.sending(item.id, item.path, 'url', 1);
        ledger.items.done(item.id, hashOf(item.path), undefined, index + 1);
        ledger.knownFiles.overwritten(assignment, item, item.path, index + 1);
      }
    });
    return { batch, files };
  };
  const keys = ({ knownFiles }: Ledger) => knownFiles.list(assignment).map(({ Key }) => Key);

  const removals = ({ items }: Ledger, batch: string) => {
    const { items: listed, total } = items.list(batch, { states: ['removed'], offset: 0, limit: 10 });
    expect([total, items.tally(batch).removed.files]).toEqual([listed.length, listed.length]);
    return listed.map(({ key, removed }) => [key, removed?.atMs]);
  };

  test('counts as removed once it is gone, with the time if it was removed from here', async () => {
    const ledger = openTestLedger();
    const { batch, files } = await upload(ledger, 'a', 'b', 'c');
    const [a, b, c] = files.map(({ id }) => id);
    expect(removals(ledger, batch)).toEqual([]);
    // The response to the removal of `a` lists neither `a` nor `b`: `b` was removed elsewhere, or its removal is not
    // recorded yet.
    expect(await ledger.commit(() => ledger.knownFiles.removed(assignment, 'a', 9))).toEqual([a]);
    expect(await ledger.commit(() => ledger.knownFiles.listed(assignment, answer(seen('c')), 8, 9))).toEqual([b]);
    expect(removals(ledger, batch)).toEqual([
      ['a', 9],
      ['b', undefined],
    ]);
    expect(await ledger.commit(() => ledger.knownFiles.removed(assignment, 'b', 10))).toEqual([b]);
    expect(await ledger.commit(() => ledger.knownFiles.removed(assignment, 'b', 11))).toEqual([]);
    // The service has listed `c`, so a row of its own records it.
    expect(await ledger.commit(() => ledger.knownFiles.removed(assignment, 'c', 12))).toEqual([c]);
    expect(removals(ledger, batch)).toEqual([
      ['a', 9],
      ['b', 10],
      ['c', 12],
    ]);
  });

  test('is there again if the service still names it, and can be removed again', async () => {
    const ledger = openTestLedger();
    const { batch, files } = await upload(ledger, 'a', 'b');
    const ids = files.map(({ id }) => id);
    await ledger.commit(() => ledger.knownFiles.removed(assignment, 'a', 5));
    expect(await ledger.commit(() => ledger.knownFiles.listed(assignment, answer(seen('a')), 6, 7))).toEqual(
      ids.toReversed(),
    );
    expect(removals(ledger, batch)).toEqual([['b', undefined]]);
    expect(await ledger.commit(() => ledger.knownFiles.listed(assignment, answer(), 8, 9))).toEqual([ids[0]]);
    expect(removals(ledger, batch)).toHaveLength(2);
  });

  test('is looked for again if a list lacks it that may lag behind', async () => {
    const ledger = openTestLedger();
    const { batch, files } = await upload(ledger, 'a', 'b');
    const lists = (atMs: number, ...keys: readonly string[]) =>
      ledger.commit(() => ledger.knownFiles.listed(assignment, answer(...keys.map(seen)), atMs, atMs, 10));
    const [a, b] = files.map(({ id }) => id);
    expect(await lists(8)).toEqual([]);
    expect(ledger.items.unlisted(batch)).toBe(b);
    await lists(9, 'b');
    expect(ledger.items.unlisted(batch)).toBe(a);
    expect(await lists(20, 'b')).toEqual([a]);
    expect(ledger.items.unlisted(batch)).toBeUndefined();
  });

  test('is lost once a list lacks it that cannot lag so far, and not if it was removed', async () => {
    const ledger = openTestLedger();
    const { batch, files } = await upload(ledger, 'a', 'b', 'c');
    const [a, b] = files.map(({ id }) => id);
    await ledger.commit(() => ledger.knownFiles.removed(assignment, 'c', 3));
    const lists = () => ledger.knownFiles.listed(assignment, answer(), 12, 12, 10);
    expect(await ledger.commit(lists)).toEqual([a]);
    expect(ledger.items.unlisted(batch)).toBe(b);
    expect(removals(ledger, batch)).toEqual([
      ['a', undefined],
      ['c', 3],
    ]);
    const takeLost = () => ledger.commit(() => ledger.knownFiles.takeLost(batch, false));
    expect([await takeLost(), await takeLost()]).toEqual([[{ item: a, isKeyTaken: false }], []]);
    expect(removals(ledger, batch)).toEqual([['c', 3]]);
  });

  test.each([
    ['replaced', ({ replacedFiles }: Ledger, by: number) => replacedFiles.release(by, 'new')],
    [
      'replaced, and its removal got no response',
      ({ replacedFiles }: Ledger, by: number) => {
        replacedFiles.release(by, 'new');
        replacedFiles.failed(by, 'a', error);
      },
    ],
    [
      'removed by the user',
      ({ knownFiles }: Ledger) => knownFiles.setBeingRemoved('connection', [{ assignmentId: 'assignment', key: 'a' }]),
    ],
  ])('is not lost if a list lacks it while it is %s', async (_, remove) => {
    for (const isListed of [false, true]) {
      const ledger = openTestLedger();
      const { batch } = await upload(ledger, 'a');
      const [new_, skipped] = (await addBatch(ledger, [scanned('new'), scanned('a')])).files.map(({ id }) => id);
      await ledger.commit(() => {
        if (isListed) ledger.knownFiles.listed(assignment, answer(seen('a')), 2, 2);
        ledger.replacedFiles.plan(new_ ?? 0, ['a']);
        ledger.items.skipped(skipped ?? 0, hashOf('a'), 3);
        remove(ledger, new_ ?? 0);
        ledger.knownFiles.listed(assignment, answer(), 8, 9);
        ledger.knownFiles.removed(assignment, 'a', 10);
      });
      expect(ledger.knownFiles.takeLost(batch, true)).toEqual([]);
      expect(removals(ledger, batch)).toEqual([['a', 10]]);
      expect(ledger.items.get(skipped ?? 0)?.state).toBe('skipped');
    }
  });

  test('is lost if another file took its Key, and then replaces none; a later version of it replaces it', async () => {
    for (const fileName of ['a', 'A', 'another']) {
      const isLost = fileName === 'another';
      const ledger = openTestLedger();
      const { batch, files } = await upload(ledger, 'a');
      const [a = 0] = files.map(({ id }) => id);
      const replaced = await ledger.commit(() => {
        ledger.replacedFiles.plan(a, ['old']);
        ledger.replacedFiles.release(a, 'a');
        ledger.replacedFiles.failed(a, 'old', error);
        return addUploaded(ledger, assignment, uploaded('a', 4, fileName));
      });
      expect(replaced).toEqual([a]);
      expect(ledger.replacedFiles.countFailed(batch)).toBe(isLost ? 0 : 1);
      const lost = await ledger.commit(() => ledger.knownFiles.takeLost(batch, false));
      expect(lost).toEqual(isLost ? [{ item: a, isKeyTaken: true }] : []);
    }
  });

  test('is lost if a file that the service has named took its Key', async () => {
    const ledger = openTestLedger();
    const { batch, files } = await upload(ledger, 'a');
    const [a] = files.map(({ id }) => id);
    await ledger.commit(() => {
      ledger.knownFiles.listed(assignment, answer(), 8, 9);
      addUploaded(ledger, assignment, uploaded('a', 10, 'another'));
    });
    const lost = await ledger.commit(() => ledger.knownFiles.takeLost(batch, false));
    expect(lost).toEqual([{ item: a, isKeyTaken: true }]);
  });

  test('needs no further list if one had it before it was known to be done', async () => {
    const ledger = openTestLedger();
    const { batch, files } = await addBatch(ledger, [scanned('a')]);
    const [a = expect.unreachable()] = files;
    await ledger.commit(() => {
      ledger.replacedFiles.plan(a.id, ['old']);
      ledger.items.sending(a.id, 'a', 'url', 1);
      ledger.knownFiles.listed(assignment, answer(seen('a')), 2, 3);
      ledger.items.done(a.id, hashOf('a'), undefined, 4, false);
      ledger.knownFiles.overwritten(assignment, a, 'a', 4);
    });
    expect(ledger.items.unlisted(batch)).toBeUndefined();
  });

  test('is what another one was skipped for: once it is gone, that one is queued again', async () => {
    const ledger = openTestLedger();
    await upload(ledger, 'a', 'b');
    const { files } = await addBatch(ledger, [scanned('a too'), scanned('b too'), scanned('a')]);
    const [like = 0, other = 0, named = 0] = files.map(({ id }) => id);
    await ledger.commit(() => {
      ledger.items.skipped(like, hashOf('a'), 3);
      ledger.items.skipped(other, hashOf('b'), 3);
      ledger.items.nameTaken(named, 3);
      ledger.knownFiles.listed(assignment, answer(seen('b')), 8, 9);
    });
    const states = [like, other, named].map((id) => ledger.items.get(id)?.state);
    expect(states).toEqual(['queued', 'skipped', 'skipped']);
    expect(ledger.items.get(like)).toMatchObject({ sha256: undefined, settledAtMs: undefined });
  });

  test('is told apart from one whose name has the same checksum', async () => {
    const ledger = openTestLedger();
    expect(crc32('plumless')).toBe(crc32('buckeroo'));
    await upload(ledger, 'plumless', 'buckeroo');
    expect(ledger.knownFiles.named(assignment, 'Plumless').map(({ key }) => key)).toEqual(['plumless']);
  });

  test('is looked for although a list already had another one, which was sent again after a kill', async () => {
    const ledger = openTestLedger();
    const { batch, files } = await addBatch(ledger, [scanned('a'), scanned('b')]);
    const [a = expect.unreachable(), b = expect.unreachable()] = files;
    const arrives = (item: Item, key: string, atMs: number) => {
      ledger.items.done(item.id, hashOf(key), undefined, atMs, false);
      ledger.knownFiles.overwritten(assignment, item, key, atMs);
    };
    await ledger.commit(() => {
      for (const { id, path } of files) ledger.items.sending(id, path, 'url', 1);
      ledger.replacedFiles.plan(b.id, ['old']);
      arrives(a, 'a', 5);
      ledger.knownFiles.listed(assignment, answer(seen('b'), seen('old')), 8, 8, 10);
      arrives(b, 'b', 9);
    });
    expect(ledger.items.unlisted(batch)).toBe(a.id);
  });

  test('is also looked for by another batch, which may have skipped its content', async () => {
    const ledger = openTestLedger();
    const { files } = await upload(ledger, 'a');
    const other = await addBatch(ledger, [scanned('b')]);
    await ledger.commit(() => ledger.knownFiles.listed(assignment, answer(), 8, 8, 10));
    expect(ledger.items.unlisted(other.batch)).toBe(files[0]?.id);
  });

  test('counts as gone at once if its batch has ended, which does not look again', async () => {
    const ledger = openTestLedger();
    const { batch, files } = await upload(ledger, 'a');
    await ledger.commit(() => ledger.batches.setFinished(batch, 5));
    const gone = () => ledger.knownFiles.listed(assignment, answer(), 8, 8, 10);
    expect(await ledger.commit(gone)).toEqual(files.map(({ id }) => id));
  });

  test('stays removed when another file is uploaded under its Key', async () => {
    const ledger = openTestLedger();
    const before = await upload(ledger, 'a');
    await ledger.commit(() => ledger.knownFiles.removed(assignment, 'a', 5));
    const after = await upload(ledger, 'a');
    await ledger.commit(() => ledger.knownFiles.listed(assignment, answer(seen('a')), 6, 7));
    expect(removals(ledger, before.batch)).toEqual([['a', 5]]);
    expect(removals(ledger, after.batch)).toEqual([]);
  });

  test('is listed with all its facts, and found by its name and its Key', async () => {
    const ledger = openTestLedger();
    const { batch, files } = await upload(ledger, 'roof/b.jpg', 'a.jpg');
    expect(ledger.knownFiles.list(assignment)).toMatchObject([
      { Key: 'a.jpg', FileName: 'a.jpg', source: 'uploaded-here', addedAtMs: 2, folder: 'folder' },
      { Key: 'roof/b.jpg', FileName: 'b.jpg', addedAtMs: 1, folder: 'folder/roof' },
    ]);
    const uploadId = ledger.batches.get(batch)?.uploadId;
    const place = { root: '/folder', path: 'roof/b.jpg' };
    const { sizeBytes, modifiedMs } = scanned('roof/b.jpg');
    const content = { sizeBytes, modifiedMs, sha256: hashOf('roof/b.jpg') };
    const facts = { key: 'roof/b.jpg', fileName: 'b.jpg', place, ...content, uploadId, addedAtMs: 1 };
    const named = () => ledger.knownFiles.named(assignment, 'B.JPG');
    expect(named()).toEqual([{ ...facts, knownItem: files[0]?.id }]);
    expect(ledger.knownFiles.named({ ...assignment, assignmentId: 'other' }, 'b.jpg')).toEqual([]);
    expect(ledger.knownFiles.addedAtMs(assignment, 'roof/b.jpg')).toBe(1);
    expect(ledger.knownFiles.addedAtMs(assignment, 'b.jpg')).toBeUndefined();
    expect(ledger.knownFiles.after(assignment).map(({ key }) => key)).toEqual(['roof/b.jpg', 'a.jpg']);
    const listed = { Key: 'roof/b.jpg', FileName: 'b.jpg', UploadedBy: 'CUSTOMER' };
    await ledger.commit(() => ledger.knownFiles.listed(assignment, answer(listed), 1, 9));
    expect(named()).toEqual([facts]);
  });

  test('comes after the rows of their own, page by page and batch by batch', async () => {
    const ledger = openTestLedger();
    await ledger.commit(() => ledger.knownFiles.listed(assignment, answer(seen('Own'), seen('own')), 0, 1));
    const many = Array.from({ length: 1_500 }, (_, index) => `file ${index}.jpg`);
    await upload(ledger, ...many);
    await upload(ledger, 'last.jpg');
    const found: string[] = [];
    for (let page = ledger.knownFiles.after(assignment); page.length > 0; ) {
      found.push(...page.map(({ key }) => key));
      page = ledger.knownFiles.after(assignment, page.at(-1));
    }
    expect(found).toEqual(['Own', 'own', ...many, 'last.jpg']);
  });

  test('is forgotten when it is removed, or when an answer does not list it', async () => {
    const ledger = openTestLedger();
    await upload(ledger, 'a.jpg', 'b.jpg', 'c.jpg');
    await ledger.commit(() => ledger.knownFiles.removed(assignment, 'a.jpg', 9));
    expect(keys(ledger)).toEqual(['b.jpg', 'c.jpg']);
    const file = { Key: 'c.jpg', FileName: 'c.jpg', UploadedBy: 'CUSTOMER' };
    await ledger.commit(() => ledger.knownFiles.listed(assignment, answer(file), 2, 10));
    // b.jpg was uploaded when the list was requested, so the list may lack it.
    expect(known(ledger)).toEqual([
      ['b.jpg', 'uploaded-here', ''],
      ['c.jpg', 'uploaded-here', 'CUSTOMER'],
    ]);
    await ledger.commit(() => ledger.knownFiles.listed(assignment, answer(file), 8, 10));
    expect(known(ledger)).toEqual([['c.jpg', 'uploaded-here', 'CUSTOMER']]);
    expect(ledger.knownFiles.named(assignment, 'c.jpg')).toMatchObject([{ sha256: hashOf('c.jpg') }]);
  });

  test('gives way to a later one with the same Key', async () => {
    const ledger = openTestLedger();
    await upload(ledger, 'a.jpg');
    const { files } = await upload(ledger, 'a.jpg');
    expect(ledger.knownFiles.named(assignment, 'a.jpg')).toMatchObject([{ knownItem: files[0]?.id }]);
  });

  test.each(['from its item', 'from what the service named'])(
    'counts as removed once a later one took its Key, where it was known %s',
    async (how) => {
      const ledger = openTestLedger();
      // The batch of the later file was added first.
      const late = await addBatch(ledger, [scanned('a')]);
      const early = await upload(ledger, 'a');
      if (how !== 'from its item')
        await ledger.commit(() => ledger.knownFiles.listed(assignment, answer(seen('a')), 2, 3));
      const [item = expect.unreachable()] = late.files;
      const { id } = item;
      const again = () => {
        ledger.items.sending(id, 'a', 'url', 1);
        ledger.items.done(id, hashOf('b'), undefined, 4);
        return ledger.knownFiles.overwritten(assignment, item, 'a', 4);
      };
      expect(await ledger.commit(again)).toEqual([early.files[0]?.id]);
      expect(await ledger.commit(again)).toEqual([]);
      expect([removals(ledger, early.batch), removals(ledger, late.batch)]).toEqual([[['a', 4]], []]);

      expect(await ledger.commit(() => ledger.knownFiles.removed(assignment, 'a', 9))).toEqual([id]);
      expect([removals(ledger, early.batch), removals(ledger, late.batch)]).toEqual([[['a', 4]], [['a', 9]]]);
      expect(await ledger.commit(() => ledger.knownFiles.listed(assignment, answer(seen('a')), 10, 11))).toEqual([id]);
      expect([removals(ledger, early.batch), removals(ledger, late.batch)]).toEqual([[['a', 4]], []]);
    },
  );
});
