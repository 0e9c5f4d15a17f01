/**
 * Tests "exactly once" on real folders. One after another, each step of a replacement fails or ends the process, and
 * histories that once had a wrong result are repeated. Whatever happens, the ledger knows every object on the
 * assignment, and every batch finishes once the service, the storage and the process work again. The simulation
 * (tests/simulation) makes up histories.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isBeingCancelled } from '../../../contract/uploads.ts';
import { createTestClock } from '../../async/testing/clock.ts';
import { createStorageAgent } from '../../net/connector.ts';
import { createGate } from '../../net/gate.ts';
import { createHostHealth } from '../../net/host-health.ts';
import { openLedger } from '../ledger/ledger.ts';
import { createPools } from '../transfer/pool.ts';
import { createTestContext } from '../transfer/testing/context.ts';
import { type Deed, examples, type FolderOptions } from './testing/deeds.ts';
import { findUnfinished, findUntruths, itemsOf } from './testing/truth.ts';
import { type Fate, type Life, sha256, startWorld } from './testing/world.ts';
import { createUploads, type Uploads } from './uploads.ts';

const ASSIGNMENT = 'assignment';
const CONNECTION = 'connection';

/** Names that are equal on some systems, and names that look like those of renamed files. */
const NAMES = ['a.txt', 'A.TXT', 'b.txt', 'b (2).txt', 'o\u0308.txt', '\u00f6.txt', 'in - a.txt'];
const LEFT_OUT = ['.hidden', 'Thumbs.db', '~$b.docx'];
const PATHS = ['', 'in/', 'in/in/', 'other/'].flatMap((folder) =>
  [...NAMES, ...LEFT_OUT].map((name) => `${folder}${name}`),
);
const isLeftOut = (path: string): boolean => LEFT_OUT.some((name) => path.endsWith(name));
/** Returns a key of a path. Paths that are equal on systems that ignore case or composition have the same key. */
const sameOnDisk = (path: string): string => path.normalize('NFC').toLowerCase();

test.each(examples)('each file ends on its assignment exactly once, although $although', async ({ folder, deeds }) => {
  const upload = await createUpload(folder);
  try {
    for (const one of deeds) {
      await upload.live(one);
      upload.expectTruth();
    }
    await upload.live({ do: 'start', fates: [] });
    for (let life = 0; life < 3; life += 1) {
      await upload.live({ do: 'resume', fates: [] });
      await upload.live({ do: 'retry', fates: [] });
    }
    upload.expectTruth();
    upload.expectEnd();
  } finally {
    await upload.close();
  }
});

const FATES: readonly Fate[] = ['dies-before', 'dies-after', 'lost', 'busy', 'fails', 'refused', 'expired', 'lied'];

/**
 * Whether a step with this fate leaves open which files the storage holds. Only then does it matter whether the storage
 * proves which files it holds.
 */
const isInDoubt = (fate: Fate): boolean => fate !== 'busy' && fate !== 'refused' && fate !== 'fails';

test.each(FATES.flatMap((fate) => (isInDoubt(fate) ? [true, false] : [false]).map((proves) => ({ fate, proves }))))(
  'a replacement ends with the new file alone if each of its steps in turn: $fate (the storage proves what it holds: $proves)',
  async ({ fate, proves }) => {
    // Step 0, which records the batch, is left out: if it fails, nothing was started. The later steps are commits,
    // calls of the service and a PUT.
    let isReached = true;
    for (let step = 1; isReached; step += 1) {
      const upload = await createUpload({ tree: ['a.txt'], nameTemplate: '{name}', atOnce: 1, proves });
      try {
        await upload.live({ do: 'start', fates: [] });
        await upload.live({ do: 'edit', path: 0 });
        await upload.live({ do: 'start', onClash: 'replace', fates: [...Array<Fate>(step).fill('ok'), fate] });
        isReached = !upload.hasFatesLeft();
        upload.expectTruth();
        upload.expectOneOfTwo();
        for (const again of ['resume', 'retry'] as const) {
          await upload.live({ do: again, fates: [] });
          upload.expectTruth();
        }
        upload.expectEnd();
        upload.expectPresentAlone();
      } finally {
        await upload.close();
      }
    }
  },
);

/**
 * The fates after the step: either all steps succeed, or the URL has expired after a commit, and each request for
 * another signature is refused.
 */
const SEQUELS: readonly (readonly Fate[])[] = [[], ['ok', 'expired', 'ok', ...Array<Fate>(12).fill('refused')]];

/** The number of steps in a replacement by a service that reuses Keys. */
const STEPS = 9;

test.each(FATES)('a service that reuses Keys loses no earlier file if each step in turn: %s', async (fate) => {
  for (const sequel of SEQUELS) {
    for (let step = 1; step <= STEPS; step += 1) {
      const upload = await createUpload({ tree: ['a.txt'], nameTemplate: '{name}', atOnce: 1, reusesKeys: true });
      try {
        await upload.live({ do: 'start', fates: [] });
        await upload.live({ do: 'edit', path: 0 });
        const fates = [...Array<Fate>(step).fill('ok'), fate, ...sequel];
        await upload.live({ do: 'start', onClash: 'replace', fates });
        upload.expectOneOfTwo();
        await upload.live({ do: 'cancel', fates: [] });
        upload.expectOneOfTwo();
      } finally {
        await upload.close();
      }
    }
  }
});

test('content that is about to be removed counts as gone: the same file is then sent again', async () => {
  let waited = 0;
  for (const fate of ['dies-before', 'dies-after', 'refused'] as const) {
    let isReached = true;
    for (let step = 1; isReached; step += 1) {
      const upload = await createUpload({ tree: ['a.txt'], nameTemplate: '{name}', atOnce: 1 });
      try {
        await upload.live({ do: 'start', fates: [] });
        await upload.live({ do: 'edit', path: 0 });
        await upload.live({ do: 'start', onClash: 'replace', fates: [...Array<Fate>(step).fill('ok'), fate] });
        isReached = !upload.hasFatesLeft();
        if (!upload.hasToRemove()) continue;
        waited += 1;
        // The other folder has the content that is being replaced.
        await upload.live({ do: 'start', other: true, fates: [] });
        for (const again of ['resume', 'retry'] as const) await upload.live({ do: again, fates: [] });
        upload.expectTruth();
        upload.expectEnd();
        upload.expectBothContents();
      } finally {
        await upload.close();
      }
    }
  }
  expect(waited).toBeGreaterThan(1);
});

/**
 * Creates the two folders, the ledger and the world of one history. `live` runs a process, or changes the first folder.
 */
const createUpload = async ({ tree, nameTemplate, atOnce, proves, reusesKeys }: FolderOptions) => {
  const world = await startWorld({ proves, reusesKeys });
  const storage = createStorageAgent();
  const root = mkdtempSync(join(tmpdir(), 'exactly-once-'));
  const otherRoot = mkdtempSync(join(tmpdir(), 'exactly-once-other-'));
  const ledger = openLedger(':memory:');
  const clock = createTestClock(1_700_000_000_000);
  const bugs: unknown[] = [];
  const present: string[] = [];
  /** The paths in the folder of each batch when the batch was started, by the batch's id. */
  const startedWith = new Map<string, readonly string[]>();
  let written = 0;
  const write = (path: string): void => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    written += 1;
    writeFileSync(file, `${path} ${written}`);
    utimesSync(file, written, written);
    if (!present.includes(path)) present.push(path);
  };
  tree.forEach(write);
  // In the other folder, the first file has the same content, and the others only have the same size.
  tree.forEach((path, index) => {
    mkdirSync(join(otherRoot, dirname(path)), { recursive: true });
    writeFileSync(join(otherRoot, path), `${path} ${index === 0 ? 1 : 'x'}`);
  });
  const presentIn = (folder: string): readonly string[] => (folder === root ? present : tree);

  const open = (life: Life): Uploads =>
    createUploads({
      context: createTestContext({
        ledger: world.mortal(ledger, life),
        service: world.service,
        storage,
        gate: createGate(clock),
        health: createHostHealth({ probe: async () => {}, sleep: clock.sleep, patienceMs: 0 }),
        pools: createPools(atOnce, clock.now),
        listLagMs: 5_000,
        sleep: clock.sleep,
        // After waits, the clock shows fractions of ms, which neither the ledger nor the system stores.
        now: () => Math.floor(clock.now()),
      }),
      connectionId: CONNECTION,
      session: { signedIn: true, subject: undefined },
      onBatches: () => {},
      onFile: () => {},
      onBug: (error) => bugs.push(error),
    });

  const act = async (uploads: Uploads, deed: Exclude<Deed, { readonly path: number }>): Promise<void> => {
    const what = deed.do;
    if (what === 'start') {
      const { other, onClash } = deed;
      await uploads.start({ root: other ? otherRoot : root, assignmentId: ASSIGNMENT, nameTemplate, onClash });
      return;
    }
    // Continues a cancellation that was interrupted.
    if (what === 'resume') await uploads.resumeInterrupted();
    for (const { batchId, state, failed, notReplaced = 0, reason } of uploads.list()) {
      const isOpen = state !== 'finished' && state !== 'cancelled';
      const isGivenUp = isBeingCancelled({ reason });
      if (what === 'retry' && failed + notReplaced > 0 && state !== 'scanning' && !isGivenUp)
        await uploads.retryFailed(batchId);
      if (what === 'resume' && isOpen && !isGivenUp) await uploads.resume(batchId);
      if (what === 'cancel' && isOpen) await uploads.cancel(batchId);
    }
  };

  const run = async (deed: Exclude<Deed, { readonly path: number }>): Promise<void> => {
    const life = { dead: false };
    const givenUp = ledger.batches.list(CONNECTION).filter(isBeingCancelled);
    world.begin(life, deed.fates);
    const uploads = open(life);
    try {
      await act(uploads, deed);
      for (const { batchId } of uploads.list()) await uploads.ended(batchId);
    } catch (error) {
      if (!life.dead) throw error;
    } finally {
      await uploads.close();
      await world.quiet();
    }
    for (const { id } of givenUp) {
      expect(ledger.batches.get(id), 'what was given up is not taken up again').toSatisfy(
        (row) => row.state === 'cancelled' || isBeingCancelled(row),
      );
    }
    if (!life.dead) expect(bugs.splice(0)).toEqual([]);
  };

  return {
    hasFatesLeft: world.hasFatesLeft,
    live: async (deed: Deed): Promise<void> => {
      if ('fates' in deed) await run(deed);
      else if (deed.do === 'edit') write(present[deed.path % present.length] ?? '');
      else write(addable(present)[deed.path % addable(present).length] ?? '');
      for (const { id, root: folder } of ledger.batches.list(CONNECTION)) {
        if (!startedWith.has(id)) startedWith.set(id, [...presentIn(folder)]);
      }
    },
    expectTruth: (): void => expect(findUntruths(ledger, CONNECTION, world)).toEqual([]),
    expectEnd: (): void => {
      const rootOf = (batch: string): string => ledger.batches.get(batch)?.root ?? '';
      const asked = (paths: readonly string[]): readonly string[] => paths.filter((path) => !isLeftOut(path));
      expect(
        findUnfinished(ledger, CONNECTION, world, {
          askedFor: (batch) => asked(startedWith.get(batch) ?? []),
          present: (batch) => asked(presentIn(rootOf(batch))),
        }),
      ).toEqual([]);
    },
    /** Expects that the assignment holds the files of the folder as they are now, and nothing else. */
    expectPresentAlone: (): void => {
      const contents = present.map((path) => sha256(readFileSync(join(root, path))));
      expect([...world.held.values()].toSorted()).toEqual(contents.toSorted());
    },
    /** Expects that the assignment holds the folder's only file, as it is now or as it was before. */
    expectOneOfTwo: (): void => {
      const contents = present.flatMap((path) => [`${path} ${written}`, `${path} ${written - 1}`]).map(sha256);
      expect([...world.held.values()].some((content) => contents.includes(content))).toBe(true);
    },
    /** Whether a file that was replaced still has to be removed. */
    hasToRemove: (): boolean =>
      ledger.batches
        .list(CONNECTION)
        .flatMap(({ id }) => itemsOf(ledger, id))
        .flatMap(({ id }) => ledger.replacedFiles.of(id))
        .some(({ state }) => state === 'pending' || state === 'failed'),
    /** Expects that the assignment holds each file of both folders. */
    expectBothContents: (): void => {
      const contents = [root, otherRoot].flatMap((folder) =>
        presentIn(folder).map((path) => sha256(readFileSync(join(folder, path)))),
      );
      expect([...world.held.values()].toSorted()).toEqual(contents.toSorted());
    },
    close: async (): Promise<void> => {
      await storage.destroy();
      world.close();
      ledger.close();
      for (const folder of [root, otherRoot]) rmSync(folder, { recursive: true });
    },
  };
};

/** Paths that can be added to a folder. */
const addable = (present: readonly string[]): readonly string[] => {
  const there = new Set(present.map(sameOnDisk));
  return PATHS.filter((path) => !there.has(sameOnDisk(path)));
};
