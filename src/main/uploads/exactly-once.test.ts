/**
 * "Exactly once" as a property: whatever people do, whatever the service and the storage answer, and wherever the
 * process dies, the ledger knows of everything that the assignment holds, and all of it comes to a good end once the
 * world is in order again.
 */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStorageAgent } from '../net/agents.ts';
import { createGate } from '../net/gate.ts';
import { createNetwork } from '../net/network.ts';
import { createTestClock } from '../net/test-server.ts';
import { createKeyedLock } from './keyed-lock.ts';
import type { Item } from './ledger/item-row.ts';
import { openLedger } from './ledger/ledger.ts';
import { createPools } from './pool.ts';
import { unlimited } from './rate-limit.ts';
import { SEND_TIMEOUTS } from './sending/timeouts.ts';
import { type Fate, type Life, startWorld, type World } from './test-world.ts';
import { createUploads, type Uploads } from './uploads.ts';

const FILES = ['a.txt', 'b.txt', 'inside/a.txt', 'inside/c.txt'];
const EVERY_ITEM = { offset: 0, limit: 1_000 };
const ASSIGNMENT = 'assignment';
const CONNECTION = 'connection';

/** What happens in one life of the app, from its start to its end. */
type Deed =
  | { readonly do: 'start' | 'resume' | 'retry' | 'cancel'; readonly fates: readonly Fate[] }
  /** Between two lives: a file is written to. */
  | { readonly do: 'edit'; readonly file: number };

const fate = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Fate>('ok') },
  { weight: 7, arbitrary: fc.constantFrom<Fate>('busy', 'fails', 'lost', 'lost', 'refused', 'expired', 'expired') },
  { weight: 1, arbitrary: fc.constantFrom<Fate>('dies-before', 'dies-after') },
);
const fates = fc.array(fate, { maxLength: 40, size: 'max' });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('start' as const), fates }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('resume' as const, 'retry' as const), fates }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), fates }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('edit' as const), file: fc.nat(FILES.length - 1) }) },
);

/** What dies only where two commits stand in place of one: too rare to be met each time. */
const DIES_BETWEEN: Deed[] = [
  { do: 'start', fates: Array<Fate>(60).fill('refused') },
  { do: 'retry', fates: ['ok', 'dies-before'] },
];

test('whatever happens, each file ends on its assignment exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 8 }), fc.constantFrom(1, 3), async (deeds, atOnce) => {
      const upload = await createUpload(atOnce);
      try {
        for (const one of [{ do: 'start', fates: [] } satisfies Deed, ...deeds].slice(
          deeds[0]?.do === 'start' ? 1 : 0,
        )) {
          await upload.live(one);
          upload.expectTruth();
        }
        for (let life = 0; life < 3; life += 1) {
          await upload.live({ do: 'resume', fates: [] });
          await upload.live({ do: 'retry', fates: [] });
        }
        upload.expectTruth();
        upload.expectEnd();
      } finally {
        await upload.close();
      }
    }),
    {
      numRuns: 150,
      examples: [[DIES_BETWEEN, 1]],
    },
  );
}, 120_000);

/** The folder, the ledger and the app's lives of one run of the property. */
const createUpload = async (atOnce: number) => {
  const world = await startWorld();
  const storage = createStorageAgent();
  const root = mkdtempSync(join(tmpdir(), 'exactly-once-'));
  const ledger = openLedger(':memory:');
  const clock = createTestClock(1_700_000_000_000);
  const bugs: unknown[] = [];
  let written = 0;
  const write = (path: string): void => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    written += 1;
    writeFileSync(file, `${path} ${written}`);
    utimesSync(file, written, written);
  };
  FILES.forEach(write);

  const open = (life: Life): Uploads =>
    createUploads({
      context: {
        ledger: world.mortal(ledger, life),
        service: world.service,
        storage,
        gate: createGate(clock),
        network: createNetwork({ probe: async () => {}, sleep: clock.sleep, patienceMs: 0 }),
        timeouts: SEND_TIMEOUTS,
        unanswered: new Set(),
        limit: unlimited,
        pools: createPools(atOnce, clock.now),
        lock: createKeyedLock(),
        sleep: clock.sleep,
        // Waits have fractions; the ledger's times, as the system's, have none.
        now: () => Math.floor(clock.now()),
      },
      owner: () => ({ connection: CONNECTION, subject: undefined }),
      assertSignedIn: () => {},
      onBatch: () => {},
      onFile: () => {},
      onBug: (error) => bugs.push(error),
    });

  const act = async (uploads: Uploads, what: 'start' | 'resume' | 'retry' | 'cancel'): Promise<void> => {
    if (what === 'start') {
      await uploads.start({ root, assignmentId: ASSIGNMENT });
      return;
    }
    for (const { batch, state, failed } of uploads.list(CONNECTION)) {
      const isOpen = state !== 'finished' && state !== 'cancelled';
      if (what === 'retry' && failed > 0 && state !== 'scanning') await uploads.retryFailed(batch);
      if (what === 'resume' && isOpen) await uploads.resume(batch);
      if (what === 'cancel' && isOpen) await uploads.cancel(batch);
    }
  };

  const items = (): readonly Item[] =>
    ledger.batches.list(CONNECTION).flatMap(({ id }) => ledger.items.list(id, EVERY_ITEM).items);

  return {
    live: async (deed: Deed): Promise<void> => {
      if (deed.do === 'edit') {
        write(FILES[deed.file] ?? '');
        return;
      }
      const life = { dead: false };
      world.begin(life, deed.fates);
      const uploads = open(life);
      try {
        await act(uploads, deed.do);
        for (const { batch } of uploads.list(CONNECTION)) await uploads.ended(batch);
      } catch (error) {
        if (!life.dead) throw error;
      } finally {
        await uploads.close();
        await world.quiet();
      }
      expect(life.dead ? [] : bugs).toEqual([]);
    },
    expectEnd: (): void => {
      for (const { id, state } of ledger.batches.list(CONNECTION)) {
        expect(['finished', 'cancelled']).toContain(state);
        const ended = ledger.items.list(id, EVERY_ITEM).items;
        for (const { state } of ended) expect(['done', 'skipped', 'cancelled']).toContain(state);
        if (state === 'finished') expect(ended.map(({ path }) => path).sort()).toEqual([...FILES].sort());
      }
    },
    expectTruth: () => expectTruth(items(), world),
    close: async (): Promise<void> => {
      await storage.destroy();
      world.close();
      ledger.close();
      rmSync(root, { recursive: true });
    },
  };
};

/** What holds at any moment, also in the middle of a batch, with nobody at work. */
const expectTruth = (items: readonly Item[], { held }: World): void => {
  const mayHold = items.filter(({ state, unclear }) => state === 'done' || unclear).map(({ key }) => key);
  expect(mayHold, 'the ledger knows of everything that is held').toEqual(expect.arrayContaining([...held.keys()]));
  expect(new Set(mayHold).size, 'no two files share a Key').toBe(mayHold.length);
  for (const { state, key = '', sha256, fileName } of items) {
    if (state === 'done') expect(held.get(key), 'what is done is held, as it was read').toBe(sha256);
    if (state === 'skipped') {
      const twins = items.filter((other) => other.state === 'done' && other.fileName === fileName);
      expect(
        twins.map((twin) => twin.sha256),
        'what is skipped is there already',
      ).toContain(sha256);
    }
  }
};
