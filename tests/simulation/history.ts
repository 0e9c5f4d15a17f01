/**
 * One history: two folders, users who change them and control the app, a process that is killed, and a service and a
 * storage that fail. A seed determines everything. The engine and its ledger are the app's own. At the end, all faults
 * stop, and each file has to be on its assignment once.
 */
import { createHash } from 'node:crypto';
import { DeskError } from '../../src/contract/errors.ts';
import { type Batch, isBeingCancelled, type NameTemplate, type OnClash } from '../../src/contract/uploads.ts';
import { createGate } from '../../src/main/net/gate.ts';
import { createHostHealth } from '../../src/main/net/host-health.ts';
import { findUnfinished, findUntruths, itemsOf } from '../../src/main/uploads/engine/testing/truth.ts';
import { createUploads, type Uploads } from '../../src/main/uploads/engine/uploads.ts';
import { type Commit, type Ledger, openLedger } from '../../src/main/uploads/ledger/ledger.ts';
import { type Hasher, PART_BYTES } from '../../src/main/uploads/source/hasher.ts';
import { openLocalFile } from '../../src/main/uploads/source/local-file.ts';
import { createInterruptions } from '../../src/main/uploads/transfer/interruptions.ts';
import { type Concurrency, createPools } from '../../src/main/uploads/transfer/pool.ts';
import { createTestContext } from '../../src/main/uploads/transfer/testing/context.ts';
import { createRandom, type Random } from '../../src/sandbox/sample/sample-data.ts';
import { storageDialects } from '../storages/kinds.ts';
import { createDeskHistory } from './desks.ts';
import { createDisk } from './disk.ts';
import { setPresent } from './present.ts';
import { inVirtualTime, type Process, type VirtualTime } from './virtual-time.ts';
import { createWorld, drawRates, drawSome, NO_FAULTS } from './world.ts';

export type History = {
  readonly problems: string[];
  /** One line for each event, with its virtual time. */
  readonly trace: readonly string[];
  /** The SHA-256 of the trace. The same seed gives the same trace. */
  readonly sum: string;
};

const CONNECTION = 'connection';
const ROOTS = ['/office/north', '/office/south'];
const NAMES = [
  'a.txt',
  'A.TXT',
  'b.txt',
  'b (2).txt',
  '\u00f6.txt',
  'in/a.txt',
  'in/b.txt',
  'in/in/a.txt',
  'other/c.txt',
];
const TEMPLATES: readonly NameTemplate[] = ['{name}', '{folder} - {name}', '{path}'];

/**
 * The codes with which the app may refuse an action of the user, for example because the batch has another state by
 * then.
 */
const REFUSALS: ReadonlySet<string> = new Set([
  ...['upload/batch-state', 'auth/required', 'app/cancelled', 'upload/folder-missing', 'upload/folder-unreadable'],
]);

/** The maximum virtual time of a history. */
const MOST_MS = 7 * 24 * 3_600_000;
/** The number of times that a user resumes and retries at the end. */
const ROUNDS = 8;

/** One of this many histories has whole apps (desks.ts), and takes about ten times as long. */
export const APPS_EVERY = 20;

/** Runs the history of `seed` with at most `mostDeeds` actions of users. */
export const runHistory = (seed: number, mostDeeds = 40): Promise<History> =>
  inVirtualTime(async (time) => {
    const random = createRandom(seed, 'history');
    const history = (seed % APPS_EVERY === 0 ? createDeskHistory : createHistory)(time, random);
    setPresent(history);
    try {
      await time.until(history.live(random.integer(2, mostDeeds)), MOST_MS);
    } catch (error) {
      history.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    } finally {
      setPresent(undefined);
      history.close();
    }
    const { problems, trace } = history;
    return { problems, trace, sum: createHash('sha256').update(trace.join('\n')).digest('hex') };
  });

const createHistory = (time: VirtualTime, random: Random) => {
  const trace: string[] = [];
  const problems: string[] = [];
  const tell = (event: string): void => void trace.push(`${time.now().toFixed(3)} ${event}`);
  let diskErrors = random.chance(0.3) ? 0.01 : 0;
  const disk = createDisk(time, random, { errorRate: () => diskErrors });
  const dialect = random.pick(storageDialects);
  tell(`a ${dialect} storage`);
  const happened = (event: string): void => {
    tell(event);
    check(event);
  };
  const world = createWorld(time, random, { dialect, tell: happened });
  const names = drawSome(random, NAMES);
  const choices = drawSome<OnClash>(random, ['rename', 'skip', 'replace']);
  const ledger = openLedger(':memory:');
  const nameTemplate = random.pick(TEMPLATES);
  const atOnce = random.pick<Concurrency>([1, 3, 'auto']);
  let life: Process = { isDead: true };
  let uploads: Uploads | undefined;
  let versions = 0;
  /**
   * The files of the folder when each batch was started, by the id of the batch; `starting`: the files at starts that
   * have not resolved yet.
   */
  const startedWith = new Map<string, readonly string[]>();
  const starting: { readonly root: string; readonly files: readonly string[] }[] = [];
  /**
   * The files that are missing now (`removed`), and those that were ever missing (`wasAway`): a scan at that time may
   * not have found them.
   */
  const removed = new Set<string>();
  const wasAway = new Set<string>();
  /** The SHA-256 of every version of each file, by its path. */
  const versionsOf = new Map<string, Set<string>>();

  /** Writes a new version of a file. Some versions are large, and are sent in several parts. */
  const write = (root: string, path: string, how: 'write' | 'replace' = 'write'): void => {
    versions += 1;
    const content = `${path} ${versions} `.repeat(random.chance(0.04) ? 90_000 : 1);
    const full = `${root}/${path}`;
    disk[how](full, content);
    versionsOf.set(full, (versionsOf.get(full) ?? new Set()).add(sha256(content)));
    tell(`${how} ${full}`);
  };
  for (const root of ROOTS)
    for (let files = random.integer(1, 5); files > 0; files -= 1) write(root, random.pick(names));

  const open = (): void => {
    life = { isDead: false };
    tell('start');
    uploads = time.inside(life, () => openUploads(life));
    perform('resume interrupted', (of) => of.resumeInterrupted());
  };
  const kill = (): void => {
    tell('kill');
    life.isDead = true;
    uploads = undefined;
    check('after a kill');
  };
  const openUploads = (of: Process): Uploads => {
    const sleep = (ms: number, signal?: AbortSignal): Promise<void> => interruptible(time, ms, signal);
    const health = createHostHealth({ probe: world.probe, sleep, patienceMs: undefined });
    return createUploads({
      context: createTestContext({
        ledger: mortal(ledger, of, time, random),
        service: world.service,
        storage: world.storage,
        gate: createGate({ now: time.now, sleep }),
        health,
        open: (path, expected) => openLocalFile(path, expected, hasher),
        interruptions: createInterruptions({ sleep, report: health.report, now: time.wallNow, steady: time.now }),
        pools: createPools(atOnce, time.now),
        listLagMs: 5_000,
        sleep,
        pause: sleep,
        now: () => Math.floor(time.wallNow()),
        steady: time.now,
      }),
      connectionId: CONNECTION,
      session: {
        get signedIn() {
          return world.isSignedIn();
        },
        subject: undefined,
      },
      onBatches: () => {},
      onFile: (_, { path, state, error }) => tell(`file ${path} ${state} ${error?.code ?? ''}`),
      onBug: (error) => problems.push(`bug: ${error instanceof Error ? error.stack : error}`),
    });
  };

  /** Does what the user requests. The app refuses requests that are not possible at the moment. */
  const perform = (name: string, call: (uploads: Uploads) => Promise<unknown>): void => {
    const [present, of] = [uploads, life];
    if (present === undefined) return;
    tell(name);
    time
      .inside(of, () => call(present))
      .catch((error: unknown) => {
        if (error instanceof DeskError && REFUSALS.has(error.code)) tell(`refused: ${error.code}`);
        else if (!of.isDead) problems.push(`${name}: ${error instanceof Error ? error.stack : error}`);
      });
  };
  const batches = (): readonly Batch[] => uploads?.list() ?? [];
  const withBatch = (name: string, call: (uploads: Uploads, id: string) => Promise<unknown>): void => {
    const all = batches();
    if (all.length > 0) perform(name, (of) => call(of, random.pick(all).batchId));
  };

  const begin = (onClash: OnClash): void => {
    const root = random.pick(ROOTS);
    const files = disk.files(root);
    starting.push({ root, files });
    perform(`upload ${root} ${onClash}`, (of) => of.start({ root, assignmentId: 'assignment', nameTemplate, onClash }));
  };
  /** Finds new batches in the ledger, even if their start has not resolved yet. */
  const noteStarts = (): void => {
    for (const { id, root } of ledger.batches.list(CONNECTION)) {
      const at = starting.findIndex((one) => one.root === root);
      const [started] = startedWith.has(id) || at < 0 ? [] : starting.splice(at, 1);
      if (started) startedWith.set(id, started.files);
    }
  };
  const change = (): void => {
    const root = random.pick(ROOTS);
    const files = disk.files(root);
    const what = random.pick(['write', 'write', 'add', 'replace', 'remove', 'link'] as const);
    if (what === 'add' || files.length === 0) {
      write(root, random.pick(names));
      return;
    }
    const path = random.pick(files);
    if (what === 'write' || what === 'replace') write(root, path, what);
    else {
      tell(`${what} ${root}/${path}`);
      // `restore` brings the file back later.
      if (what === 'remove') disk.remove(`${root}/${path}`);
      else disk.link(`${root}/${path}`, '/office');
      removed.add(`${root}/${path}`);
      wasAway.add(`${root}/${path}`);
    }
  };
  const restore = (): void => {
    for (const full of removed) {
      const root = ROOTS.find((one) => full.startsWith(`${one}/`)) ?? '';
      disk.remove(full);
      write(root, full.slice(root.length + 1));
    }
    removed.clear();
  };

  const deeds: readonly (readonly [weight: number, act: () => void])[] = [
    [5, () => begin(random.pick(choices))],
    [3, () => withBatch('pause', (of, id) => of.pause(id))],
    [4, () => withBatch('resume', (of, id) => of.resume(id))],
    [4, () => withBatch('retry', (of, id) => of.retryFailed(id))],
    [2, () => withBatch('cancel', (of, id) => of.cancel(id))],
    [5, change],
    [5, () => void (life.isDead || kill())],
    [1, () => setSignedIn(!world.isSignedIn())],
    [1, () => setDown(random.chance(0.5))],
    [1, () => world.setRates(drawRates(random))],
    [1, () => time.setWall(random.pick([-86_400_000, -60_000, 60_000, 86_400_000]))],
  ];
  const setSignedIn = (to: boolean): void => {
    tell(to ? 'sign in' : 'sign out');
    world.setSignedIn(to);
    if (to) perform('resume interrupted', (of) => of.resumeInterrupted());
  };
  const setDown = (to: boolean): void => {
    tell(to ? 'network down' : 'network up');
    world.setDown(to);
  };
  const drawn = drawSome(random, deeds).flatMap(([weight, act]) => Array<() => void>(weight).fill(act));

  const check = (when: string): void => {
    noteStarts();
    for (const problem of findUntruths(ledger, CONNECTION, world)) problems.push(`${when}: ${problem}`);
    for (const { id, root } of ledger.batches.list(CONNECTION))
      for (const { state, key = '', path } of itemsOf(ledger, id)) {
        const content = world.held.get(key);
        if (state === 'done' && content !== undefined && !versionsOf.get(`${root}/${path}`)?.has(content))
          problems.push(`${when}: ${key} holds no version of ${root}/${path}`);
      }
  };

  const settle = async (of: Uploads): Promise<void> => {
    await of.resumeInterrupted();
    for (const { batchId, state, failed, notReplaced = 0, reason } of of.list()) {
      if (isBeingCancelled({ reason })) continue;
      if (state === 'paused') await of.resume(batchId).catch(unlessEnded);
      if (state !== 'scanning' && failed + notReplaced > 0) await of.retryFailed(batchId).catch(unlessEnded);
    }
    for (const { batchId } of of.list()) await of.ended(batchId);
  };

  const live = async (count: number): Promise<void> => {
    open();
    world.setRates(drawRates(random));
    begin(random.pick(choices));
    for (let done = 0; done < count && problems.length === 0; done += 1) {
      await time.sleep(random.chance(0.15) ? random.integer(1_000, 600_000) : random.integer(0, 400));
      if (life.isDead && random.chance(0.5)) open();
      else random.pick(drawn)();
      noteStarts();
      // Waits until nothing is in flight.
      if (life.isDead) await time.sleep(300);
    }
    // All faults stop.
    tell('in order');
    world.setRates(NO_FAULTS);
    diskErrors = 0;
    world.setDown(false);
    world.setSignedIn(true);
    restore();
    if (life.isDead) open();
    const of = uploads;
    if (of === undefined) throw new Error('the app is not open');
    for (let round = 0; round < ROUNDS; round += 1) {
      await time.inside(life, () => settle(of));
      // Waits for late requests.
      await time.sleep(round < 2 ? 600_000 : 10_000);
    }
    check('in the end');
    const rootOf = (batch: string): string => ledger.batches.get(batch)?.root ?? '';
    problems.push(
      ...findUnfinished(ledger, CONNECTION, world, {
        askedFor: (batch) =>
          ledger.batches.get(batch)?.leftOut.unreadable
            ? []
            : (startedWith.get(batch) ?? []).filter((path) => !wasAway.has(`${rootOf(batch)}/${path}`)),
        present: (batch) =>
          [...versionsOf.keys()].flatMap((full) =>
            full.startsWith(`${rootOf(batch)}/`) ? [full.slice(rootOf(batch).length + 1)] : [],
          ),
      }),
    );
  };

  const noNetwork = (): never => {
    throw new Error('the engine alone has no network');
  };
  return {
    random,
    disk,
    problems,
    trace,
    live,
    close: ledger.close,
    databases: new Map(),
    dispatch: noNetwork,
    shareType: 0,
  };
};

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

/** Ignores that the batch has ended in the meantime. */
const unlessEnded = (error: unknown): void => {
  if (!(error instanceof DeskError) || error.code !== 'upload/batch-state') throw error;
};

/** Hashes synchronously. The app's own hasher is a worker, whose time is not virtual. */
export const hasher: Hasher = {
  begin: ({ md5 }) => {
    const [sha256, ofMd5] = [createHash('sha256'), createHash('md5')];
    const update = (part: Buffer): void => {
      sha256.update(part);
      ofMd5.update(part);
    };
    return {
      part: async (part) => update(part),
      last: async (part) => {
        update(part);
        return { sha256: sha256.digest('hex'), md5: md5 ? ofMd5.digest('hex') : undefined };
      },
      [Symbol.dispose]: () => {},
    };
  },
  takePart: () => Buffer.alloc(PART_BYTES),
  giveBack: () => {},
};

/** Sleeps for `ms`, or rejects when `signal` is aborted. */
const interruptible = (time: VirtualTime, ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(new DeskError('app/cancelled', 'cancelled'));
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop, { once: true });
    time.after(ms, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
  });

/**
 * Returns the ledger for a process. Commits take some time, and a commit has no effect once the process is dead.
 * A commit made before its death remains, even if the process never learnt that it was made.
 */
const mortal = (ledger: Ledger, of: Process, time: VirtualTime, random: Random): Ledger => {
  const commit =
    (by: Commit, mostMs: number): Commit =>
    async (write) => {
      const work = (): ReturnType<typeof write> => {
        if (of.isDead) throw new DeskError('app/cancelled', 'the process is dead');
        return write();
      };
      // The queue of commits belongs to no process, so it continues when the process is killed.
      const result = await settled(time.outside(() => by(work)));
      await time.sleep(random.integer(0, mostMs * 1_000) / 1_000);
      if ('error' in result) throw result.error;
      return result.value;
    };
  return {
    ...ledger,
    commit: commit(ledger.commit, 30),
    commitUnsynced: commit(ledger.commitUnsynced, 1),
    commitLazily: commit(ledger.commitLazily, 1),
    checkpoint: () => {},
  };
};

const settled = <T>(work: Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
