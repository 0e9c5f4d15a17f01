/**
 * One history of whole apps, on one or two computers. Their users watch a shared folder, review folders, set plan-after
 * dates, and sign in and out. Processes are killed. At the end, all faults stop, and everything that was promised has
 * to hold.
 */
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Batch } from '../../src/contract/uploads.ts';
import { hasEnded as batchHasEnded, isBeingCancelled } from '../../src/contract/uploads.ts';
import { connectionIdOf } from '../../src/main/settings/resolve-connection.ts';
import { findUnfinished, findUntruths, type Held, itemsOf } from '../../src/main/uploads/engine/testing/truth.ts';
import type { Ledger } from '../../src/main/uploads/ledger/ledger.ts';
import type { Random } from '../../src/sandbox/sample/sample-data.ts';
import { storageDialects } from '../storages/kinds.ts';
import { type Computer, createComputer } from './computer.ts';
import { createDisk } from './disk.ts';
import { threads } from './modules/worker-threads.ts';
import { setPresent } from './present.ts';
import { createServers, LOGIN, SERVICE } from './servers.ts';
import type { VirtualTime } from './virtual-time.ts';
import { createWorld, drawRates, drawSome, NO_FAULTS } from './world.ts';

const CONNECTION = connectionIdOf({ baseUrl: SERVICE, authUrl: LOGIN, clientId: 'desk' });
const SHARE = '/office/share';
const NAMES = ['a.txt', 'A.TXT', 'b.txt', '\u00f6.txt', 'in/a.txt', 'in/b.txt', 'other/c.txt'];
/** The time for which a file of a watched folder has to stay unchanged. */
const SETTLE_MS = 10_000;
/** The maximum number of times that a user resumes and retries until everything is done. */
const ROUNDS = 12;
/** A watched folder is scanned at least this often, even if all hints are lost. */
const LONGEST_SCAN_MS = 320_000;
const NFS = 0x6969;

const uuid = (kind: number, of = 0): string => `00000000-0000-4000-8000-00000000${kind}00${of}`.padEnd(36, '0');
const WATCHED = uuid(1);

/** A version of a file, and the times between which it existed. */
type Version = { readonly path: string; readonly atMs: number; untilMs: number };

export const createDeskHistory = (time: VirtualTime, random: Random) => {
  const trace: string[] = [];
  const problems: string[] = [];
  const tell = (event: string): void => void trace.push(`${time.now().toFixed(3)} ${event}`);
  const wrong = (problem: string): void => void problems.push(`${time.now().toFixed(0)}: ${problem}`);
  let diskErrors = random.chance(0.3) ? 0.01 : 0;
  let isFull = false;
  let areBack = 0.85;
  const disk = createDisk(time, random, {
    errorRate: () => diskErrors,
    isFull: () => isFull,
    lostHints: random.pick([0, 0.3, 1]),
  });
  const dialect = random.pick(storageDialects);
  const count = random.pick([1, 2]);
  const hasSubjects = random.chance(0.7);
  tell(`${count} computers, a ${dialect} storage`);
  const world = createWorld(time, random, { dialect, tell });
  const users = new Map<string, string>([[WATCHED, 'anna']]);
  const people = hasSubjects ? ['anna', 'bert'] : ['anna'];
  for (const [at, user] of people.entries())
    for (let computer = 1; computer <= count; computer += 1) {
      users.set(uuid(2 + at, computer), user);
      users.set(uuid(4 + at, computer), user);
    }
  const computers: Computer[] = [];
  const servers = createServers(
    time,
    random,
    world,
    {
      users,
      hasSubjects,
      isPatient: random.chance(0.5),
      isStored: (number) => computers[number - 1]?.isStored() ?? false,
    },
    { tell, wrong },
  );
  const databases = new Map<string, DatabaseSync>();
  const parts = { random, disk, databases, dispatch: servers.dispatch, shareType: random.pick([0, NFS]) };
  // Set before the computers are created, because they open their databases.
  setPresent(parts);
  for (let number = 1; number <= count; number += 1) {
    const plansOf = new Map(people.map((user, at) => [user, uuid(2 + at, number)]));
    const around = { time, random, disk, servers, tell, wrong, returns: () => random.chance(areBack) };
    computers.push(createComputer(around, number, plansOf));
  }
  servers.onPlan((assignment, value) => {
    for (const one of computers) one.plans(assignment, value);
  });

  let numbers = 0;
  /** Every version of every file, by its SHA-256. */
  const versions = new Map<string, Version>();
  const present = new Map<string, string>();
  /** Every path that a file has had. */
  const paths = new Set<string>();
  /**
   * The earlier paths of renamed files. No file is written there again, because the app would take the new file for the
   * renamed one.
   */
  const left = new Set<string>();
  const write = (full: string, how: 'write' | 'replace' = 'write'): void => {
    if (left.has(full)) return;
    numbers += 1;
    const content = `${full} ${numbers} `.repeat(random.chance(0.03) ? 30_000 : 1);
    disk[how](full, content);
    const before = versions.get(present.get(full) ?? '');
    if (before) before.untilMs = time.now();
    const sum = sha256(content);
    present.set(full, sum);
    paths.add(full);
    versions.set(sum, { path: full, atMs: time.now(), untilMs: Number.POSITIVE_INFINITY });
    tell(`${how} ${full} ${sum.slice(0, 8)}`);
  };
  const ownFolder = (number: number): string => `/office/${number}/north`;
  for (const { number } of computers)
    for (let files = random.integer(1, 4); files > 0; files -= 1) write(`${ownFolder(number)}/${random.pick(NAMES)}`);
  for (let files = random.integer(1, 3); files > 0; files -= 1) write(`${SHARE}/${random.pick(NAMES)}`);

  /**
   * Writes several versions of a file one after another, as a program does that saves in parts, and may lock the file
   * meanwhile.
   */
  const writeSlowly = async (full: string): Promise<void> => {
    const isLocked = random.chance(0.4);
    if (isLocked) disk.lock(full);
    for (let parts = random.integer(2, 4); parts > 0; parts -= 1) {
      write(full);
      await time.sleep(random.integer(200, 9_000));
    }
    disk.unlock(full);
  };
  const change = (): void => {
    const full = `${random.chance(0.75) ? SHARE : ownFolder(random.pick(computers).number)}/${random.pick(NAMES)}`;
    if (random.chance(0.4)) void writeSlowly(full);
    else write(full, random.pick(['write', 'replace']));
  };

  /** Renames a file of the shared folder that was already sent by every computer with a batch of this folder. */
  const rename = (): void => {
    const sending = computers.filter((one) => ledgerOf(one, WATCHED).batches.list(CONNECTION).length > 0);
    const sent = sending.map(({ number }) => new Set(heldBy(number, WATCHED).held.values()));
    const named = [...present].filter(
      ([full, sum]) => full.startsWith(`${SHARE}/`) && sent.every((one) => one.has(sum)),
    );
    const to = `${SHARE}/${random.pick(NAMES)}`;
    if (sending.length === 0 || named.length === 0 || present.has(to) || left.has(to)) return;
    const [from, sum] = random.pick(named);
    disk.rename(from, to);
    present.delete(from);
    left.add(from);
    present.set(to, sum);
    paths.add(to);
    tell(`rename ${from} to ${to}`);
  };

  /**
   * The batches whose failed files a user has retried. A retry sends the content that a file has at that time, which
   * another batch may also have sent.
   */
  const retried = new Set<string>();
  const retry = (one: Computer, batchId: string): Promise<boolean> => {
    retried.add(batchId);
    return one.perform(`retry ${batchId.slice(0, 8)}`, ({ handlers }) => handlers.uploads.retryFailed({ batchId }));
  };
  const batchesOf = (one: Computer): readonly Batch[] => one.services()?.uploads.present() ?? [];
  const withBatch = (one: Computer, name: 'pause' | 'resume' | 'cancel'): void => {
    const ours = batchesOf(one).filter(({ AssignmentId }) => name !== 'cancel' || AssignmentId !== WATCHED);
    if (ours.length === 0) return;
    const { batchId } = random.pick(ours);
    void one.perform(`${name} ${batchId.slice(0, 8)}`, ({ handlers }) => handlers.uploads[name]({ batchId }));
  };
  const setDown = (to: boolean): void => {
    tell(to ? 'network down' : 'network up');
    world.setDown(to);
  };
  const setFull = (to: boolean): void => {
    tell(to ? 'disk full' : 'disk has room');
    isFull = to;
    for (const one of computers) one.full(to);
  };
  const review = (one: Computer): unknown => {
    const user = one.user();
    return user && one.review(ownFolder(one.number), uuid(4 + people.indexOf(user), one.number));
  };
  const watch = (one: Computer): unknown =>
    one.user() === 'anna' && one.watch(SHARE, WATCHED, random.pick(['rename', 'skip']));

  /** Changes the user while the service has requested a pause, during which a call of the earlier user is waiting. */
  const takeSeat = async (one: Computer): Promise<void> => {
    servers.busy(random.integer(5_000, 60_000));
    void one.planAfter();
    await time.sleep(random.integer(0, 5_000));
    await one.signOut();
    await one.signIn(random.pick(people));
  };

  const deeds: readonly (readonly [weight: number, act: (one: Computer) => unknown])[] = [
    [5, (one) => one.planAfter()],
    [1, (one) => one.changePending(random.pick(['revoke', 'retry']))],
    [4, (one) => one.perform('look at the assignments', ({ handlers }) => handlers.assignments.projects({}))],
    [3, watch],
    [2, review],
    [2, (one) => one.startReview()],
    [1, (one) => one.discardReview()],
    [4, (one) => one.signIn(random.pick(people))],
    [1, (one) => one.cancelSignIn()],
    [2, (one) => one.connect(random.chance(0.3))],
    [3, (one) => one.signOut()],
    [2, takeSeat],
    [1, (one) => servers.revoke(one.number)],
    [1, (one) => withBatch(one, 'pause')],
    [2, (one) => withBatch(one, 'resume')],
    [
      2,
      (one) =>
        batchesOf(one)
          .slice(-1)
          .map(({ batchId }) => retry(one, batchId)),
    ],
    [1, (one) => withBatch(one, 'cancel')],
    [8, change],
    [6, rename],
    [5, (one) => one.isAlive() && one.kill()],
    [1, (one) => one.isAlive() && one.quit()],
    [1, (one) => one.crash()],
    [2, () => setDown(random.chance(0.5))],
    [2, () => world.setRates(drawRates(random))],
    [2, () => servers.busy(random.integer(1_000, 60_000))],
    [1, () => setFull(random.chance(0.4))],
    [1, () => time.setWall(random.pick([-86_400_000, -60_000, 60_000, 86_400_000]))],
  ];
  const drawn = drawSome(random, deeds).flatMap(([weight, act]) => Array<(one: Computer) => unknown>(weight).fill(act));

  /** Returns the files that a computer has stored on an assignment. */
  const heldBy = (number: number, assignment: string): Held => {
    const held = [...world.held].filter(([key]) => {
      const of = world.named.get(key);
      return of?.computer === number && of.AssignmentId === assignment;
    });
    const { swallowed, hasSwallowed, isProven } = world;
    return { held: new Map(held), swallowed, hasSwallowed, isProven };
  };
  const ledgerOf = ({ ledger }: Computer, assignment: string): Ledger => {
    const list: Ledger['batches']['list'] = (...of) =>
      ledger.batches.list(...of).filter(({ assignmentId }) => assignmentId === assignment);
    return { ...ledger, batches: { ...ledger.batches, list } };
  };
  const check = (when: string, one: Computer): void => {
    for (const assignment of users.keys()) {
      const [ledger, held] = [ledgerOf(one, assignment), heldBy(one.number, assignment)];
      for (const problem of findUntruths(ledger, CONNECTION, held)) wrong(`${when}, ${one.number}: ${problem}`);
      if (assignment !== WATCHED) continue;
      const seen = new Set<string>();
      const batches = ledger.batches.list(CONNECTION);
      const again = new Set(
        batches.flatMap(({ id }) => (retried.has(id) ? itemsOf(ledger, id).map(({ key }) => key) : [])),
      );
      const done = new Set(
        batches.flatMap(({ id }) => itemsOf(ledger, id).flatMap(({ state, key }) => (state === 'done' ? [key] : []))),
      );
      for (const [key, content] of held.held) {
        const version = versions.get(content);
        // A file that was damaged in transit is removed or sent again.
        if (version === undefined && !done.has(key)) continue;
        if (version === undefined) wrong(`${when}: ${key} holds no version of a file`);
        // The file was sent again on a retry, as it was at that moment.
        if (version === undefined || again.has(key)) continue;
        if (version.untilMs - version.atMs < SETTLE_MS)
          wrong(`${when}: ${key} holds ${version.path} as it was being written`);
        if (seen.has(content)) wrong(`${when}: ${version.path} is there twice, by computer ${one.number}`);
        seen.add(content);
      }
    }
    for (const problem of one.wrongLog()) wrong(problem);
  };

  /** Whether all files were sent. Renamed files do not count, because they are sent with their new names. */
  const isSent = ({ ledger }: Computer, { batchId, root, failed }: Batch): boolean =>
    failed === 0 ||
    itemsOf(ledger, batchId).every(
      ({ state, error, path }) =>
        state !== 'failed' || (error?.code === 'upload/file-missing' && left.has(`${root}/${path}`)),
    );

  /** Does what a user does to finish everything. Resolves to whether everything is done. */
  const settle = async (one: Computer, user: string): Promise<boolean> => {
    if (!one.session().signedIn) await one.signIn(user);
    const { outbox, uploads } = one.services() ?? {};
    if (!outbox || !uploads) return false;
    for (const entry of outbox.list())
      if (entry.error) await one.perform('retry', ({ handlers }) => handlers.outbox.retry({ id: entry.id }));
    const ours = (): readonly Batch[] =>
      uploads.present().filter(({ AssignmentId }) => users.get(AssignmentId) === user);
    for (const { batchId, state, failed, notReplaced = 0, reason } of ours()) {
      if (isBeingCancelled({ reason })) continue;
      if (state === 'paused') await one.perform(`resume, paused by ${reason?.code}`, () => uploads.resume(batchId));
      if (state !== 'scanning' && failed + notReplaced > 0) await retry(one, batchId);
    }
    await time.sleep(20_000);
    return outbox.list().length === 0 && ours().every((batch) => batchHasEnded(batch) && isSent(one, batch));
  };
  const finish = async (one: Computer): Promise<void> => {
    if (!one.isAlive()) await one.start();
    await one.connect(false);
    // Cancels sign-ins whose user has not returned from the browser.
    await one.cancelSignIn();
    for (const user of [...people].reverse()) {
      // A response that is too late counts as lost, so the sign-in is repeated.
      for (let round = 0; round < ROUNDS && !(await one.signIn(user)); round += 1);
      if (!one.session().signedIn) return wrong(`${user} cannot sign in on computer ${one.number}`);
      await time.sleep(LONGEST_SCAN_MS);
      if (one.desk()?.drafts.current()) await one.discardReview();
      for (let round = 0; !(await settle(one, user)); round += 1)
        if (round === ROUNDS)
          return wrong(
            `computer ${one.number} does not come to an end: ${JSON.stringify(one.services()?.outbox.list())} ${JSON.stringify(batchesOf(one).filter((batch) => !batchHasEnded(batch) || batch.failed > 0))}`,
          );
    }
  };
  const checkEnd = (one: Computer): void => {
    check('in the end', one);
    for (const problem of one.wrongPlans()) wrong(problem);
    for (const assignment of users.keys()) {
      const ledger = ledgerOf(one, assignment);
      const rootOf = (batch: string): string => ledger.batches.get(batch)?.root ?? '';
      const folders = {
        askedFor: () => [],
        present: (batch: string) =>
          [...paths].flatMap((full) =>
            full.startsWith(`${rootOf(batch)}/`) ? [full.slice(rootOf(batch).length + 1)] : [],
          ),
      };
      for (const problem of findUnfinished(ledger, CONNECTION, heldBy(one.number, assignment), folders))
        if (left.size === 0 || !problem.endsWith('is failed upload/file-missing')) wrong(problem);
    }
    if (!one.isWatching(SHARE)) return;
    const { held } = heldBy(one.number, WATCHED);
    const contents = new Set(held.values());
    const ledger = ledgerOf(one, WATCHED);
    // Files whose name was taken, which the user has chosen to skip.
    const skipped = new Set(
      ledger.batches
        .list(CONNECTION)
        .flatMap(({ id, root }) =>
          itemsOf(ledger, id).flatMap(({ path, error }) =>
            error?.code === 'upload/name-taken' ? [`${root}/${path}`] : [],
          ),
        ),
    );
    for (const [full, sum] of present)
      if (full.startsWith(`${SHARE}/`) && !contents.has(sum) && !skipped.has(full) && !world.wasSwallowed(sum))
        wrong(`${full} was not sent by computer ${one.number}, which watches it`);
  };

  const live = async (mostDeeds: number): Promise<void> => {
    for (const one of computers) {
      await one.start();
      void one.signIn('anna').then((): unknown => random.chance(0.7) && watch(one));
    }
    await time.sleep(random.integer(0, 30_000));
    world.setRates(drawRates(random));
    for (let done = 0; done < mostDeeds && problems.length === 0; done += 1) {
      await time.sleep(random.chance(0.1) ? random.integer(10_000, 300_000) : random.integer(0, 4_000));
      const one = random.pick(computers);
      const wasAlive = one.isAlive();
      // Without the app or a session, little can be done.
      if (!wasAlive && random.chance(0.5)) void one.start();
      else if (!one.session().signedIn && random.chance(0.2)) void one.signIn(random.pick(people));
      else void random.pick(drawn)(one);
      if (!wasAlive || one.isAlive()) continue;
      check('after a kill', one);
      // Waits until nothing is in flight.
      await time.sleep(300);
    }
    tell('in order');
    world.setRates(NO_FAULTS);
    [diskErrors, areBack] = [0, 1];
    setFull(false);
    setDown(false);
    servers.busy(0);
    await time.sleep(40_000);
    await Promise.all(computers.map(finish));
    // From now on, watched folders send what changes without a user's help.
    for (const name of drawSome(random, NAMES)) {
      write(`${SHARE}/${name}`);
      await time.sleep(random.integer(0, 20_000));
    }
    await time.sleep(LONGEST_SCAN_MS + 60_000);
    for (const one of computers) checkEnd(one);
  };

  const close = (): void => {
    threads.clear();
    for (const database of databases.values()) database.close();
  };
  return { ...parts, problems, trace, live, close };
};

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');
