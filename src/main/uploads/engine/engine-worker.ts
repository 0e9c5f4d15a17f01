/** The upload engine's worker: the ledger, the state that all transfers share, and the uploads of each connection. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { leavesRoomAt } from '../../../contract/hours.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { createNudge, sleep, steadyNow, wallNow } from '../../async/clock.ts';
import { createKeyedLock } from '../../async/lock.ts';
import { connectPort, type Peer, sentError } from '../../async/port-calls.ts';
import { createRateLimit, limitAt, slowest } from '../../async/rate-limit.ts';
import { createThrottle } from '../../async/throttle.ts';
import { REST_MS } from '../../data/end-by-force.ts';
import { comesToRest } from '../../data/files.ts';
import { createProbeAgent, createRenewableAgent, createStorageAgent } from '../../net/connector.ts';
import { createGate } from '../../net/gate.ts';
import { createHostHealth, probeHost } from '../../net/host-health.ts';
import { watchForWake } from '../../net/machine-changes.ts';
import type { Routing } from '../../net/route.ts';
import { createTimeRoundTrip } from '../../net/time-round-trip.ts';
import { createTrust, type TrustFiles } from '../../net/trust.ts';
import { openLedger } from '../ledger/ledger.ts';
import { createArchives } from '../source/archives.ts';
import { createHasher } from '../source/hasher.ts';
import { createFileReader, openLocalFile } from '../source/local-file.ts';
import { splitInner } from '../source/paths.ts';
import { dropOldLists } from '../source/reviewed-list.ts';
import { BLOCK_SIZES } from '../storage/put-file.ts';
import { SEND_TIMEOUTS } from '../storage/put-request.ts';
import { createInterruptions, manyInARow } from '../transfer/interruptions.ts';
import type { TransferContext } from '../transfer/transfer-context.ts';
import { createLineWatch } from './congestion.ts';
import type { EngineCalls, EngineSession, EngineSettings, MainCalls } from './engine-calls.ts';
import { createRemoteService } from './engine-calls.ts';
import { createPools } from './pool.ts';
import { createUploads } from './uploads.ts';
import type { Uploads } from './uploads-api.ts';

type Engine = Omit<EngineCalls, 'begin'> & { readonly damage: DeskError | undefined };

const MS_PER_S = 1_000;
/** Longer than the usual delay until the service's lists include an uploaded file. */
const LIST_LAG_MS = 5_000;
/** The least time between two reports of changed batches. */
const TELL_INTERVAL_MS = 50;
/** Batches in one message: main has to do other things in between. */
const TELL_BATCHES = 500;

const createEngine = (settings: EngineSettings, main: Peer<MainCalls>, onBug: (error: unknown) => void): Engine => {
  const ledger = openLedger(settings.ledgerPath);
  // What an earlier process has left. This one may be preparing an upload while its engine starts again.
  if (!ledger.damage)
    dropOldLists(ledger.lists, ledger.batches.reviewedLists(), wallNow() - process.uptime() * MS_PER_S);
  let { speed = { limit: undefined, leaveRoom: 'never' }, reportFiles: reportsFiles } = settings;
  const pools = createPools(settings.concurrency, performance.now.bind(performance));
  const hosts = createHosts(settings, main, {
    sending: pools.sending.taken,
    leavesRoom: () => leavesRoomAt(speed.leaveRoom, new Date()),
  });
  const hasher = createHasher(new URL(settings.hashThread), onBug);
  const archives = createArchives(new URL(settings.readThread), hasher, onBug);
  const reader = createFileReader(
    new URL(settings.readThread),
    (path, expected) => (splitInner(path) ? archives.open(path, expected) : openLocalFile(path, expected, hasher)),
    onBug,
  );
  const shared = {
    ...hosts.forTransfers,
    ledger,
    open: reader.open,
    timeouts: { ...SEND_TIMEOUTS, ...settings.timeouts },
    listLagMs: settings.listLagMs ?? LIST_LAG_MS,
    limit: createRateLimit(
      () => slowest(speed.limit && limitAt(speed.limit, new Date()), hosts.forTransfers.line.rate()),
      sleep,
    ),
    blockSizes: BLOCK_SIZES,
    md5Origins: new Map(),
    pools,
    lock: createKeyedLock(),
    unanswered: new Map<number, number>(),
    sleep,
    now: wallNow,
    steady: steadyNow,
  };
  const connections = new Map<number, OpenConnection>();
  const opened = (handle: number): OpenConnection => {
    const found = connections.get(handle);
    if (!found) throw new Error('there is no such connection');
    return found;
  };

  return {
    damage: ledger.damage,
    setSpeed: (changed) => {
      speed = changed;
    },
    reportFiles: (isWanted) => {
      reportsFiles = isWanted;
    },
    waysChanged: hosts.renew,
    hurry: ({ pauses }) => (pauses ? hosts.tryNow() : hosts.probeNow()),
    open: (connection) => {
      const { handle, connectionId } = connection;
      const one = openConnection(connection, { shared, settings, reportsFiles: () => reportsFiles, main, onBug });
      connections.set(handle, one);
      const list = (): readonly Batch[] => one.uploads.list(connectionId);
      return ledger.damage ? readable(list) : list();
    },
    session: ({ handle, session }) => opened(handle).setSession(session),
    uploads: async ({ handle, name, args, cancellable }, signal) => {
      const { uploads, tell } = opened(handle);
      const call = uploads[name] as (...args: readonly unknown[]) => unknown;
      // Main receives the changes made by a call before its result.
      try {
        return await call(...args, ...(cancellable ? [signal] : []));
      } finally {
        tell();
      }
    },
    close: async ({ handle }) => {
      const { uploads, tell } = opened(handle);
      await uploads.close();
      tell();
    },
    end: async () => {
      hosts.stop();
      await Promise.all([...connections.values()].map(({ uploads }) => uploads.close()));
      await hosts.close();
      ledger.close();
      return { hangs: !(await comesToRest(REST_MS, reader.isReading)) };
    },
  };
};

type HostsOptions = {
  /** The number of files that are being sent. */
  readonly sending: () => number;
  /** Whether uploads give way to other traffic now. */
  readonly leavesRoom: () => boolean;
};

/** How the engine reaches the hosts: connections, what is known about each host, the pauses, and the line to them. */
const createHosts = (settings: EngineSettings, main: Peer<MainCalls>, { sending, leavesRoom }: HostsOptions) => {
  const { probes, networkPatienceMs: patienceMs } = settings;
  const routing: Routing = {
    routeOf: (origin) => main.call('routeOf', origin),
    unreachable: (proxy) => main.tell('proxyUnreachable', proxy),
    nextLogin: (proxy, rejected) => main.call('nextLogin', { proxy, rejected }),
    trials: {
      begin: (trial) => main.call('beginTrial', trial),
      settle: (trial, outcome) => main.tell('settleTrial', { trial, outcome }),
    },
  };
  let { trust: trustFiles = {} } = settings;
  let trust = createTrust(trustFiles);
  const closing = new AbortController();
  const connecting = { routing, trust: () => trust(), closing: closing.signal };
  const storageAgent = createRenewableAgent(() => createStorageAgent(connecting));
  const probeAgent = createRenewableAgent(() => createProbeAgent(connecting));
  const { dispatcher: storage } = storageAgent;
  const health = createHostHealth({
    probe: async (origin, signal) => {
      if (!(await main.call('probe', origin, signal))) await probeHost(storage, origin, signal);
    },
    onChange: (_, seen) => main.tell('seen', seen),
    ...{ patienceMs, probes },
  });
  const { sleep: pause, now: endPauses } = createNudge(sleep);
  const interruptions = createInterruptions({ sleep: pause, report: health.report, now: wallNow, patienceMs, probes });
  // A single 503 among other responses concerns only its file; a storage that returns only 503 is paused.
  const gate = createGate({ inARow: () => manyInARow(sending()) });
  const line = createLineWatch({
    now: performance.now.bind(performance),
    leavesRoom,
    timeRoundTrip: createTimeRoundTrip(probeAgent.dispatcher),
  });
  /** Opens new connections, because the network, the routes or the trusted certificates may have changed. */
  const renew = (files: TrustFiles): void => {
    trustFiles = files;
    trust = createTrust(files);
    storageAgent.renew();
    probeAgent.renew();
    line.forget();
    health.probeNow();
  };
  const stopWatching = watchForWake(() => renew(trustFiles));
  return {
    forTransfers: { storage, health, interruptions, pause, gate, line },
    renew,
    probeNow: health.probeNow,
    /** Probes all unreachable hosts now and ends the pauses that hosts requested. */
    tryNow: (): void => {
      gate.open();
      endPauses();
      health.tryNow();
    },
    stop: stopWatching,
    close: async (): Promise<void> => {
      closing.abort();
      health.close();
      await Promise.all([storageAgent.destroy(), probeAgent.destroy()]);
    },
  };
};

type OpenConnection = {
  readonly uploads: Uploads;
  readonly setSession: (session: EngineSession) => void;
  /** Sends the changed batches to main now. */
  readonly tell: () => void;
};

type ConnectionParts = {
  readonly shared: Omit<TransferContext, 'isLocal' | 'service'>;
  readonly settings: EngineSettings;
  readonly reportsFiles: () => boolean;
  readonly main: Peer<MainCalls>;
  readonly onBug: (error: unknown) => void;
};

const openConnection = (
  { handle, connectionId, isLocal, session }: Parameters<EngineCalls['open']>[0],
  { shared, settings, reportsFiles, main, onBug }: ConnectionParts,
): OpenConnection => {
  let { signedIn, subject } = session;
  /** Thousands of batches may change at the same time, so their changes are sent to main together. */
  const changed = new Map<string, Batch>();
  const tell = (): void => {
    const batches = [...changed.values()];
    changed.clear();
    for (let next = 0; next < batches.length; next += TELL_BATCHES)
      main.tell('batches', { handle, batches: batches.slice(next, next + TELL_BATCHES) });
  };
  const telling = createThrottle(tell, TELL_INTERVAL_MS, onBug);
  const uploads = createUploads({
    context: { ...shared, isLocal, service: createRemoteService(main, handle) },
    owner: () => ({ connectionId, subject }),
    hours: settings.hours,
    assertSignedIn: () => {
      if (!signedIn) throw new DeskError('auth/required', 'nobody is signed in');
    },
    onBatch: (batch) => {
      changed.set(batch.batchId, batch);
      telling.request();
    },
    onFile: (batch, file) => main.tell('file', { handle, batch, file }),
    reportsFiles,
    onBug,
  });
  const setSession = (to: EngineSession): void => {
    ({ signedIn, subject } = to);
  };
  return { uploads, setSession, tell };
};

/** What can no longer be read from a damaged ledger is left out; the damage itself is reported elsewhere. */
const readable = <T>(list: () => readonly T[]): readonly T[] => {
  try {
    return list();
  } catch {
    return [];
  }
};

/** Serves the engine to the main thread, which calls `begin` first. */
export const serveEngine = (port: MessagePort): void => {
  const reportBug = (error: unknown): void => main.tell('bug', sentError(error));
  const begin: EngineCalls['begin'] = (settings) => {
    const { damage, ...calls } = createEngine(settings, main, reportBug);
    main.serve(calls);
    return damage ? { damage: toErrorData(damage) } : {};
  };
  const main: Peer<MainCalls> = connectPort(port, { begin }, reportBug);
};

if (parentPort) serveEngine(parentPort);
