/**
 * Many offices in virtual time, whose service is down for an hour and then returns with half of its capacity. The
 * offices send files, refresh tokens, read lists ahead and check for updates with the app's own code. The service and
 * its storage are models.
 */
import type { Dispatcher } from 'undici';
import { troubleOf } from '../../src/contract/connection.ts';
import { createSleep, steadyNow, wallNow } from '../../src/main/async/clock.ts';
import { createSession } from '../../src/main/auth/session.ts';
import { createMemoryVault } from '../../src/main/auth/vault.ts';
import { createReadAhead } from '../../src/main/cache/assignment-lists.ts';
import { type Cache, openCache } from '../../src/main/cache/cache.ts';
import { createServiceAccess } from '../../src/main/core/connection/connections.ts';
import { exchange } from '../../src/main/net/exchange.ts';
import { createGate } from '../../src/main/net/gate.ts';
import { createHostHealth, probeHost } from '../../src/main/net/host-health.ts';
import { translateStatus } from '../../src/main/net/translate.ts';
import { createUpdates } from '../../src/main/updates/updates.ts';
import { createUploads } from '../../src/main/uploads/engine/uploads.ts';
import { type Ledger, openLedger } from '../../src/main/uploads/ledger/ledger.ts';
import { openLocalFile } from '../../src/main/uploads/source/local-file.ts';
import { createInterruptions, manyInARow } from '../../src/main/uploads/transfer/interruptions.ts';
import { createPools } from '../../src/main/uploads/transfer/pool.ts';
import { createTestContext } from '../../src/main/uploads/transfer/testing/context.ts';
import { createRandom, type Random, sampleId, sampleProtocol } from '../../src/sandbox/sample/sample-data.ts';
import { createDisk, type Disk } from './disk.ts';
import { hasher } from './history.ts';
import { setPresent } from './present.ts';
import { inVirtualTime, type Process, type VirtualTime } from './virtual-time.ts';
import { createWorld, queryOf, type World } from './world.ts';

const SERVICE = 'https://service.test';
const STORAGE = 'https://storage.test';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The time at which the service goes down. The steady load is measured in the half hour before. */
export const DOWN_MS = HOUR_MS;
export const BACK_MS = DOWN_MS + HOUR_MS;
const END_MS = BACK_MS + 2 * HOUR_MS;
/** Offices start no uploads after this time, so that all uploads can end. */
const LAST_UPLOAD_MS = BACK_MS + HOUR_MS;

/** The average intervals at which an office sends a folder and opens a list. */
const FOLDER_EVERY_MS = 30 * MINUTE_MS;
const FOLDER_FILES = 18;
const LIST_EVERY_MS = 10 * MINUTE_MS;
const PROTOCOLS = 20;
const TOKEN_MS = HOUR_MS;

/** The capacity of the service as a multiple of the steady load. After the outage, it has half of that. */
const STRENGTH = 3;

/** The number of requests that can arrive at once, in addition to the capacity of a second. */
const BURST = 10;

/** The app's own `sleep`, in one step: the machines of the fleet never sleep, so a wait need not be checked again. */
const sleep = createSleep(steadyNow, Number.POSITIVE_INFINITY);

/** The length of the windows in which requests are counted. */
export const WINDOW_MS = 10_000;

export type FleetResult = {
  /** The number of requests that the service received in each window of `WINDOW_MS`; 0 while it is down. */
  readonly requests: readonly number[];
  readonly refused: readonly number[];
  /** The requests per second in the half hour before the outage. */
  readonly steady: number;
  /**
   * The maximum load after the return as a multiple of the steady load, measured over ten seconds and over a minute.
   */
  readonly peak: number;
  readonly peakMinute: number;
  /** The number of requests after the return, divided by the number of those that were not refused. */
  readonly amplification: number;
  /**
   * The time from the return, in ms, until an office had sent its first file, and until it had sent all files that were
   * waiting at the return. `last`: of the slowest office.
   */
  readonly firstMs: { readonly median: number; readonly last: number };
  readonly caughtUpMs: { readonly median: number; readonly last: number };
  readonly files: number;
  readonly problems: readonly string[];
};

/** Returns the body of the response to a request; undefined if the path does not exist. */
type Answers = (request: { readonly method: string; readonly path: string; readonly body: string }) => unknown;

const createService = (time: VirtualTime, random: Random, strength: () => number, answers: Answers) => {
  const requests = Array<number>(END_MS / WINDOW_MS).fill(0);
  const refused = [...requests];
  let room = 0;
  let roomAtMs = 0;
  const hasRoom = (): boolean => {
    const perSecond = strength();
    room = Math.min(perSecond + BURST, room + ((time.now() - roomAtMs) / 1_000) * perSecond);
    roomAtMs = time.now();
    if (room < 1) return false;
    room -= 1;
    return true;
  };
  const isDown = (): boolean => time.now() >= DOWN_MS && time.now() < BACK_MS;
  const isCurrent = (authorization: string | undefined): boolean =>
    authorization === undefined || Number(authorization.split('-').at(-1)) > time.now();

  const respond = (
    request: Parameters<Answers>[0],
    authorization: string | undefined,
  ): { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown } => {
    const window = Math.floor(time.now() / WINDOW_MS);
    requests[window] = (requests[window] ?? 0) + 1;
    if (!hasRoom()) {
      refused[window] = (refused[window] ?? 0) + 1;
      // Half of the refusals say when to try again, as those of some proxies do.
      return { status: 503, ...(random.chance(0.5) && { headers: { 'retry-after': '10' } }) };
    }
    if (!isCurrent(authorization)) return { status: 401 };
    const body = answers(request);
    return body === undefined ? { status: 404 } : { status: 200, body };
  };

  const dispatch = (
    { path, method, headers, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean => {
    let isOver = false;
    const end = (settle: () => void): void => {
      if (!isOver) settle();
      isOver = true;
    };
    const controller = {
      aborted: false,
      paused: false,
      reason: null,
      rawHeaders: null,
      rawTrailers: null,
      pause: () => {},
      resume: () => {},
      abort: (reason: Error) => end(() => time.after(0, () => handler.onResponseError?.(controller as never, reason))),
    };
    const { authorization } = headers as Record<string, string>;
    time.after(random.integer(5, 40), () => {
      if (isOver) return;
      if (isDown()) {
        const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
        return end(() => handler.onResponseError?.(controller as never, error));
      }
      handler.onRequestStart?.(controller as never, {});
      const answer = respond({ method, path, body: String(body ?? '') }, authorization);
      time.after(random.integer(20, 80), () =>
        end(() => {
          handler.onResponseStart?.(controller as never, answer.status, answer.headers ?? {}, '');
          if (method !== 'HEAD' && answer.body !== undefined)
            handler.onResponseData?.(controller as never, Buffer.from(JSON.stringify(answer.body)));
          handler.onResponseEnd?.(controller as never, {});
        }),
      );
    });
    return true;
  };
  return { dispatch, requests, refused };
};

const page = <T>(Items: readonly T[]) => ({ Items, Count: Items.length, TotalCount: Items.length, CurrentPage: 1 });

/** Creates the responses of the service, for offices in which nobody signs in. */
const createAnswers = (time: VirtualTime): Answers => {
  const protocols = page(Array.from({ length: PROTOCOLS }, (_, index) => sampleProtocol(1, index, PROTOCOLS)));
  let keys = 0;
  return ({ method, path }) => {
    if (method === 'HEAD' || path.startsWith('/updates/')) return {};
    if (path === '/oauth/token')
      return { access_token: `token-${time.now() + TOKEN_MS}`, refresh_token: 'refresh', expires_in: TOKEN_MS / 1_000 };
    if (path.endsWith('/orderable-events')) return [];
    if (path.includes('/compiled-inspection-protocols/contractor')) return protocols;
    if (path.endsWith('/assignments') || path.includes('/assignments/projects')) return page([]);
    const AssignmentId = /\/assignments\/([^/]+)\/files\/sign-upload$/.exec(path)?.[1];
    if (AssignmentId === undefined) return undefined;
    keys += 1;
    return { AssignmentId, Key: `key-${keys}`, Url: `${STORAGE}/key-${keys}?${queryOf('s3', time.wallNow())}` };
  };
};

/** The stores that all offices share. In both, each office has its own connection. */
type Stores = { readonly ledger: Ledger; readonly cache: Cache };

type Office = {
  readonly process: Process;
  readonly disk: Disk;
  /** The times at which the office's files were written and sent. */
  readonly writtenAtMs: number[];
  readonly sentAtMs: number[];
};

const openOffice = async (
  time: VirtualTime,
  random: Random,
  number: number,
  {
    ledger,
    cache,
    network,
    office,
    onBug,
  }: Stores & {
    readonly network: Dispatcher;
    readonly office: Office;
    readonly onBug: (error: unknown) => void;
  },
): Promise<void> => {
  const connectionId = `office ${number}`;
  const vault = createMemoryVault();
  const tokenMs = random.integer(0, TOKEN_MS);
  const expiresAt = time.wallNow() + tokenMs;
  const tokens = { accessToken: `token-${time.now() + tokenMs}`, refreshToken: 'refresh', expiresAt };
  await vault.save({ ...tokens, refreshAt: expiresAt - MINUTE_MS });
  const session = createSession({
    connection: { baseUrl: `${SERVICE}/api`, authUrl: `${SERVICE}/oauth`, clientId: 'desk', sample: false },
    vault,
    redirect: undefined as never,
    openExternal: async () => {},
    dispatcher: network,
  });
  await session.restore();

  let wasInTrouble = false;
  const access = createServiceAccess(
    { dispatchers: { dispatcher: network, uploadDispatcher: network } },
    `${SERVICE}/api`,
    session,
    ({ service }) => {
      const isInTrouble = troubleOf(service) !== undefined;
      if (wasInTrouble && !isInTrouble) {
        health.probeNow();
        readAhead.reached();
      }
      wasInTrouble = isInTrouble;
    },
  );
  const health = createHostHealth({
    probe: async (origin, signal) => {
      if (!(await access.probe(origin, signal))) await probeHost(network, origin, signal);
    },
    onChange: (_, seen) => access.observeStorage(seen),
  });
  const pools = createPools('auto', time.now);
  const uploads = createUploads({
    context: createTestContext({
      ledger,
      storage: network,
      health,
      pools,
      sleep,
      pause: sleep,
      now: wallNow,
      steady: steadyNow,
      service: access.once,
      gate: createGate({ inARow: () => manyInARow(pools.sending.taken()) }),
      open: (path, expected) => openLocalFile(path, expected, hasher),
      interruptions: createInterruptions({ sleep, report: health.report, now: wallNow }),
    }),
    connectionId,
    session: { signedIn: true, subject: undefined },
    onBatches: () => {},
    onFile: (_, { state }) => state === 'done' && office.sentAtMs.push(time.now()),
    onBug,
  });
  const readAhead = createReadAhead({
    cache,
    connectionId,
    service: access.background,
    sleep,
    now: wallNow,
    onBug,
    isBusy: () => false,
    onProgress: () => {},
  });
  createUpdates({
    updater: {
      address: `${SERVICE}/updates/`,
      check: async ({ address }, dispatcher) => {
        const request = { method: 'GET', url: new URL('latest.yml', address), headers: {} } as const;
        const answer = await exchange(dispatcher, request);
        if (answer.status !== 200) throw translateStatus(answer);
        return undefined;
      },
      download: async () => {},
      install: () => {},
      quit: () => {},
    },
    settings: () => ({ mode: 'auto', channel: 'latest' }) as never,
    dispatcher: network,
    isUploading: () => false,
    onChange: () => {},
  });

  // The office's user opens the app within the first half hour, sends folders, and opens lists.
  const about = (ms: number): number => (ms * random.integer(500, 1_500)) / 1_000;
  let folders = 0;
  const sendFolder = (): void => {
    if (time.now() > LAST_UPLOAD_MS) return;
    folders += 1;
    const root = `/jobs/${folders}`;
    for (let file = 0; file < FOLDER_FILES; file += 1) {
      office.disk.write(`${root}/${number} ${folders} ${file}.txt`, `${number} ${folders} ${file}`);
      office.writtenAtMs.push(time.now());
    }
    uploads.start({ root, assignmentId: sampleId(number, 'assignment', folders) }).catch(onBug);
    time.after(about(FOLDER_EVERY_MS), sendFolder);
  };
  const lookAtList = (): void => {
    access.service.listProtocols().catch(() => {});
    time.after(about(LIST_EVERY_MS), lookAtList);
  };
  readAhead.follow(true);
  time.after(about(FOLDER_EVERY_MS / 2), sendFolder);
  time.after(about(LIST_EVERY_MS), lookAtList);
};

/** Runs `count` offices. The same seed gives the same figures. */
export const runFleet = async (seed: number, count: number): Promise<FleetResult> => {
  // Errors of thousands of refused calls need no stack traces.
  Error.stackTraceLimit = 0;
  const stores: Stores = { ledger: openLedger(':memory:'), cache: openCache(':memory:') };
  try {
    return await inVirtualTime((time) => liveAll(time, createRandom(seed, 'fleet'), count, stores));
  } finally {
    setPresent(undefined);
    stores.ledger.close();
    stores.cache.close();
  }
};

const liveAll = async (time: VirtualTime, random: Random, count: number, stores: Stores): Promise<FleetResult> => {
  const problems: string[] = [];
  const onBug = (error: unknown): void => void problems.push(error instanceof Error ? `${error.stack}` : String(error));
  const offices = new Map<Process | undefined, Office>();
  let steady = 0;
  const strength = (): number => (time.now() < BACK_MS ? Number.MAX_SAFE_INTEGER : (steady * STRENGTH) / 2);
  const service = createService(time, random, strength, createAnswers(time));
  const world: World = createWorld(time, random, { dialect: 's3', tell: () => {} });
  const network = {
    dispatch: (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) =>
      (options.origin === SERVICE ? service : world.storage).dispatch(options, handler),
  } as Dispatcher;
  setPresent({
    random,
    databases: new Map(),
    dispatch: network.dispatch,
    shareType: 0,
    get disk(): Disk {
      const office = offices.get(time.process());
      if (office === undefined) throw new Error('no office does this');
      return office.disk;
    },
  });
  for (let number = 0; number < count; number += 1) {
    const process: Process = { isDead: false };
    const office: Office = {
      process,
      disk: createDisk(time, random, { errorRate: () => 0 }),
      writtenAtMs: [],
      sentAtMs: [],
    };
    offices.set(process, office);
    const opened = (): void =>
      void openOffice(time, random, number, { ...stores, network, office, onBug }).catch(onBug);
    time.inside(process, () => time.after(random.integer(0, 30 * MINUTE_MS), opened));
  }
  const until = (atMs: number): Promise<void> =>
    time.until(time.sleep(atMs - time.now()), END_MS, Number.POSITIVE_INFINITY);
  await until(DOWN_MS);
  const sum = (of: readonly number[], fromMs: number, toMs: number): number =>
    of.slice(fromMs / WINDOW_MS, toMs / WINDOW_MS).reduce((total, one) => total + one, 0);
  steady = sum(service.requests, DOWN_MS / 2, DOWN_MS) / (DOWN_MS / 2 / 1_000);
  await until(END_MS - 1);
  return resultOf({ service, offices: [...offices.values()], steady, problems, sum, stored: world.held.size });
};

const resultOf = ({
  service: { requests, refused },
  offices,
  steady,
  problems,
  sum,
  stored,
}: {
  readonly service: Pick<FleetResult, 'requests' | 'refused'>;
  readonly offices: readonly Office[];
  readonly steady: number;
  readonly problems: string[];
  readonly sum: (of: readonly number[], fromMs: number, toMs: number) => number;
  readonly stored: number;
}): FleetResult => {
  const peakOver = (ms: number): number => {
    let most = 0;
    for (let fromMs = BACK_MS; fromMs + ms <= END_MS; fromMs += ms)
      most = Math.max(most, sum(requests, fromMs, fromMs + ms));
    return most / (ms / 1_000) / steady;
  };
  const received = sum(requests, BACK_MS, END_MS);
  const files = offices.reduce((total, { sentAtMs }) => total + sentAtMs.length, 0);
  const written = offices.reduce((total, { writtenAtMs }) => total + writtenAtMs.length, 0);
  if (files !== written || stored !== written)
    problems.push(`of ${written} files ${files} were sent, ${stored} are stored`);
  const afterReturn = offices.map(({ sentAtMs, writtenAtMs }) => {
    const before = sentAtMs.filter((atMs) => atMs < DOWN_MS).length;
    const owed = writtenAtMs.filter((atMs) => atMs < BACK_MS).length;
    return { firstMs: (sentAtMs[before] ?? BACK_MS) - BACK_MS, caughtUpMs: (sentAtMs[owed - 1] ?? BACK_MS) - BACK_MS };
  });
  const spread = (values: readonly number[]): { readonly median: number; readonly last: number } => {
    const sorted = [...values].sort((one, other) => one - other);
    return { median: sorted[sorted.length >> 1] ?? 0, last: sorted.at(-1) ?? 0 };
  };
  return {
    requests,
    refused,
    steady,
    files,
    problems,
    peak: peakOver(WINDOW_MS),
    peakMinute: peakOver(MINUTE_MS),
    amplification: received / (received - sum(refused, BACK_MS, END_MS)),
    firstMs: spread(afterReturn.map(({ firstMs }) => firstMs)),
    caughtUpMs: spread(afterReturn.map(({ caughtUpMs }) => caughtUpMs)),
  };
};
