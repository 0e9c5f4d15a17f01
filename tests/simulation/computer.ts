/**
 * A simulated computer: the whole app (`createDesk` with its workers) on a host of the simulation. The computer has one
 * data directory, one user, and one process at a time, which is killed or quits.
 */
import { DeskError } from '../../src/contract/errors.ts';
import type { OnClash } from '../../src/contract/uploads.ts';
import { createDesk, type Desk } from '../../src/main/core/desk.ts';
import { serveDraft } from '../../src/main/core/drafts/draft-worker.ts';
import type { Host } from '../../src/main/core/host.ts';
import { serveEngine } from '../../src/main/uploads/engine/engine-worker.ts';
import { type Ledger, openLedger } from '../../src/main/uploads/ledger/ledger.ts';
import { serveHashes } from '../../src/main/uploads/source/hasher.ts';
import { serveFiles } from '../../src/main/uploads/source/read-worker.ts';
import type { Random } from '../../src/sandbox/sample/sample-data.ts';
import type { Disk } from './disk.ts';
import { threads, WORKERS } from './modules/worker-threads.ts';
import { LOGIN, OTHER, SERVICE, type Servers } from './servers.ts';
import { hasEnded, type Process, type VirtualTime } from './virtual-time.ts';

for (const [name, serve] of Object.entries({
  'engine-worker.ts': serveEngine,
  'draft-worker.ts': serveDraft,
  'read-worker.ts': serveFiles,
  'read-worker.ts hashes': serveHashes,
}))
  WORKERS.set(name, serve);

const worker = (name: string): URL => new URL(`file:///app/${name}`);

/** The name of the error with which a simulated thread crashes. */
export const CRASH = 'SimulatedCrash';

type Surroundings = {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly disk: Disk;
  readonly servers: Servers;
  readonly tell: (event: string) => void;
  readonly wrong: (problem: string) => void;
  /** Whether the user returns from the browser after a sign-in there. */
  readonly returns: () => boolean;
};

export type Computer = ReturnType<typeof createComputer>;

/** The values that a user has requested for one assignment. */
type Wanted = {
  /** The value that the service must have in the end; if undefined, any of `possible`. */
  must: { readonly value: number | undefined } | undefined;
  readonly possible: Set<number | undefined>;
  /** All requested values, in order. */
  readonly order: (number | undefined)[];
};

/** Creates a computer that is off. `plansOf`: the assignment whose plan-after date each user changes. */
export const createComputer = (around: Surroundings, number: number, plansOf: ReadonlyMap<string, string>) => {
  const { time, random, disk, servers, tell, wrong, returns } = around;
  const home = `/home/${number}`;
  const secrets = new Map<string, string>();
  const hasWindow = random.chance(0.4);
  const concurrency = random.pick([1, 3, 'auto'] as const);
  disk.access.makeFolder(home, 0o700);
  const ledger: Ledger = openLedger(`${home}/ledger.sqlite`);
  let life: Process = { isDead: true };
  let desk: Desk | undefined;
  /** The user who signs in when the browser opens. */
  let person = 'anna';
  let wasFull = false;
  let logRead = 0;
  const wanted = new Map<string, Wanted>();
  const revoked = new Set<number>();
  let values = 0;
  /** The draft that was opened last, if it was neither started nor discarded. `atMs`: when it was opened. */
  let review: { readonly root: string; readonly user: string; readonly atMs: number } | undefined;

  const host: Host = {
    home,
    version: '1.0.0',
    keychain: {
      get: async (account) => secrets.get(account) ?? null,
      set: async (account, secret) => void secrets.set(account, secret),
      delete: async (account) => void secrets.delete(account),
    },
    openSettings: (folder) => {
      const path = `${folder}/settings.json`;
      return {
        read: () => JSON.parse(disk.read(path) ?? '{}'),
        write: (settings) => {
          const fd = disk.access.open(path, 'a');
          disk.access.write(fd, Buffer.alloc(0));
          disk.access.close(fd);
          disk.write(path, JSON.stringify(settings));
        },
      };
    },
    policy: {},
    connectionLayers: [{ baseUrl: SERVICE, authUrl: LOGIN, clientId: 'desk' }],
    redirect: () => ({
      open: async (accept) => {
        callBack = accept;
        return { redirectUri: 'app:/callback', close: async () => {} };
      },
    }),
    openExternal: async (url) => {
      const { searchParams } = new URL(url);
      const [accept, user] = [callBack, person];
      if (!returns()) return;
      time.after(random.integer(500, 20_000), () => {
        const query = new URLSearchParams({
          code: servers.authorize(user, number),
          state: searchParams.get('state') ?? '',
        });
        accept(`app:/callback?${query}`);
      });
    },
    pickFolder: async () => undefined,
    notify: () => {},
    keepAwake: () => () => {},
    uploadWorker: worker('engine-worker.ts'),
    readWorker: worker('read-worker.ts'),
    draftWorker: worker('draft-worker.ts'),
    searchWorker: worker('find-worker.ts'),
    startSample: async () => {
      throw new Error('no sample');
    },
  };
  let callBack: (url: string) => boolean = () => false;

  const isAlive = (): boolean => !life.isDead;
  /** Returns the services of the open connection; undefined while the app is closed or closing. */
  const services = () => {
    try {
      return isAlive() ? desk?.connected() : undefined;
    } catch (error) {
      if (error instanceof DeskError) return undefined;
      throw error;
    }
  };
  const session = () => services()?.session.user() ?? { signedIn: false, subject: undefined };
  /** Returns the signed-in user; undefined if there is none. If tokens do not name users, the only user is anna. */
  const user = (): string | undefined => (session().signedIn ? (session().subject ?? 'anna') : undefined);

  /** Does what the user requests, if the app is open. Resolves to whether it succeeded. */
  const perform = async (name: string, call: (of: Desk) => unknown): Promise<boolean> => {
    const [present, of] = [desk, life];
    if (present === undefined || of.isDead) return false;
    tell(`${number}: ${name}`);
    try {
      await time.inside(of, async () => call(present));
      tell(`${number}: ${name}: done`);
      return true;
    } catch (error) {
      if (error instanceof DeskError) tell(`${number}: ${name}: ${error.code}`);
      else wrong(`${name}: ${error instanceof Error ? error.stack : error}`);
      return false;
    }
  };

  const start = async (): Promise<void> => {
    const of: Process = { isDead: false, computer: number, bornMs: time.now() };
    life = of;
    desk = undefined;
    wasFull = disk.isFull();
    tell(`${number}: start`);
    try {
      const opened = await time.inside(of, () =>
        createDesk(host, {
          hasWindow,
          concurrency,
          onFile: (_, { path, state, error }) => tell(`${number}: file ${path} ${state} ${error?.code ?? ''}`),
        }),
      );
      desk = opened;
      expectReview(of);
    } catch (error) {
      of.isDead = true;
      if (!(error instanceof DeskError)) throw error;
      tell(`${number}: not started: ${error.code} ${(error.cause as Error | undefined)?.stack}`);
    }
  };
  /** Reports a problem if an opened draft does not come back after a restart, once its user is signed in. */
  const expectReview = (of: Process): void => {
    const before = review;
    if (!hasWindow || before === undefined || time.now() - before.atMs < 3_000) return;
    time.after(120_000, () => {
      if (life !== of || of.isDead || review !== before || session().signedIn !== true || wasFull) return;
      if (time.now() - signedInSinceMs < 60_000 || signedInAs !== before.user) return;
      const [source] = desk?.drafts.current() ? [desk.drafts.current()] : [];
      if (source === undefined) wrong(`the review of ${before.root} is lost on computer ${number}`);
    });
  };
  let signedInSinceMs = 0;
  let signedInAs = '';

  const stateOf = (assignment: string): Wanted => {
    const found = wanted.get(assignment) ?? { must: { value: undefined }, possible: new Set([undefined]), order: [] };
    wanted.set(assignment, found);
    return found;
  };
  const planAfter = async (): Promise<void> => {
    const assignment = plansOf.get(user() ?? person) ?? '';
    const of = stateOf(assignment);
    values += 1;
    const value = random.chance(0.15) ? undefined : number * 1_000_000 + values;
    of.order.push(value);
    const before = new Set(of.possible);
    of.possible.add(value);
    of.must = undefined;
    let isWaiting = false;
    const input = { AssignmentId: assignment, ...(value !== undefined && { PlanAfter: value }) };
    const isDone = await perform(`plan after ${value}`, async ({ handlers }) => {
      isWaiting = (await handlers.assignments.planAfter(input)).waiting;
    });
    if (!isDone || of.order.at(-1) !== value) return;
    of.must = { value };
    of.possible.clear();
    for (const one of isWaiting ? [...before, value] : [value]) of.possible.add(one);
  };
  const changePending = (what: 'revoke' | 'retry'): void => {
    const [entry] = session().signedIn ? (services()?.outbox.list() ?? []) : [];
    if (entry?.kind !== 'plan-after') return;
    const { id, AssignmentId, PlanAfter } = entry;
    void perform(`${what} ${PlanAfter}`, ({ handlers }) => handlers.outbox[what]({ id })).then((isDone) => {
      const isGone = services()
        ?.outbox.list()
        .every((other) => other.id !== id);
      if (!isDone || what === 'retry' || !isGone) return;
      stateOf(AssignmentId).must = undefined;
      if (PlanAfter !== undefined) revoked.add(PlanAfter);
    });
  };

  return {
    number,
    ledger,
    home,
    isAlive,
    user,
    desk: () => (isAlive() ? desk : undefined),
    isStored: () => !wasFull,
    /** Called when the disk becomes full, and when it has room again. */
    full: (to: boolean): void => {
      wasFull ||= to;
    },
    start,
    kill: (): void => {
      tell(`${number}: kill`);
      life.isDead = true;
      for (const thread of threads) if (hasEnded(thread.thread)) threads.delete(thread);
    },
    quit: async (): Promise<void> => {
      const of = life;
      await perform('quit', (it) => it.close());
      of.isDead = true;
    },
    /** Makes the thread of the engine crash. */
    crash: (): void => {
      const [thread] = [...threads].filter(
        ({ module, thread: { of } }) => of === life && module === 'engine-worker.ts',
      );
      if (thread === undefined) return;
      tell(`${number}: the engine crashes`);
      thread.end(Object.assign(new Error('the thread dies here'), { name: CRASH }));
    },
    perform,
    signIn: async (name: string): Promise<boolean> => {
      person = name;
      const of = life;
      const isDone = await perform(`sign in ${name}`, ({ handlers }) => handlers.session.signIn(undefined));
      if (!isDone || of !== life) return false;
      [signedInSinceMs, signedInAs] = [time.now(), name];
      return true;
    },
    /** Connects to the service or, with `isOther`, to a service that cannot be reached. */
    connect: (isOther: boolean): Promise<boolean> => {
      const [baseUrl, authUrl] = isOther ? [OTHER, OTHER] : [SERVICE, LOGIN];
      return perform(`connect to ${baseUrl}`, ({ handlers }) =>
        handlers.connection.set({ baseUrl, authUrl, clientId: 'desk' }),
      );
    },
    cancelSignIn: () => perform('cancel the sign-in', ({ handlers }) => handlers.session.cancelSignIn(undefined)),
    signOut: async (): Promise<void> => {
      if (!session().signedIn) return;
      signedInAs = '';
      if (await perform('sign out', ({ handlers }) => handlers.session.signOut(undefined))) servers.ended(number);
    },
    planAfter,
    changePending,
    watch: (root: string, AssignmentId: string, onClash: OnClash): Promise<boolean> =>
      perform(`watch ${root}`, ({ handlers, adopt }) =>
        handlers.watchedFolders.add({
          folderId: adopt({ root }).folderId,
          rules: { AssignmentId, onClash, hours: [] },
          existing: true,
        }),
      ),
    isWatching: (root: string): boolean =>
      services()
        ?.watchedFolders.list()
        .some(({ path }) => path === root) ?? false,
    review: async (root: string, AssignmentId: string): Promise<void> => {
      review = undefined;
      const by = user();
      const isDone = await perform(`review ${root}`, ({ handlers, adopt }) =>
        handlers.drafts.open({ folderIds: [adopt({ root }).folderId], AssignmentId }),
      );
      if (isDone && !wasFull && by !== undefined && user() === by) review = { root, user: by, atMs: time.now() };
    },
    startReview: async (): Promise<void> => {
      review = undefined;
      await perform('start the review', ({ handlers }) => handlers.drafts.start(undefined));
    },
    discardReview: async (): Promise<void> => {
      review = undefined;
      await perform('discard the review', ({ handlers }) => handlers.drafts.discard(undefined));
    },
    /** Checks a plan-after value that is being sent to the service. */
    plans: (assignment: string, value: number | undefined): void => {
      const of = wanted.get(assignment);
      if (value === undefined || of === undefined) return;
      if (!of.order.includes(value)) wrong(`nobody wanted ${value}`);
      if (revoked.has(value)) wrong(`${value} is sent although it was taken back`);
      if (servers.settled.has(value)) wrong(`${value} is sent again although it was made`);
      const later = of.order.slice(of.order.indexOf(value) + 1);
      if (later.some((one) => one !== undefined && servers.settled.has(one)))
        wrong(`${value} is sent after what replaced it`);
    },
    /** Returns one line for each assignment that has a wrong plan-after value at the end. */
    wrongPlans: (): readonly string[] =>
      [...wanted].flatMap(([assignment, { must, possible }]) => {
        const value = servers.plans.get(assignment);
        const isRight = must ? must.value === value : possible.has(value);
        return isRight ? [] : [`the plan is ${value}, not ${must ? must.value : [...possible].join(' or ')}`];
      }),
    /** Returns one line for each problem in the new lines of the log. */
    wrongLog: (): readonly string[] => {
      const text = disk.read(`${home}/logs/inspection-desk.log`) ?? '';
      const lines = text.slice(logRead).split('\n');
      logRead = text.length;
      return lines.flatMap((line) => [
        ...[...servers.secrets].filter((secret) => line.includes(secret)).map(() => `a secret in the log: ${line}`),
        ...(/"event":"(bug|background)"/.test(line) && !/"code":"[a-z]+\/[a-z-]+"/.test(line) && !line.includes(CRASH)
          ? [`a bug: ${line}`]
          : []),
      ]);
    },
    session,
    services,
  };
};
