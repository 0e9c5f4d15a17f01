/**
 * The upload engine's thread: the ledger, what all transfers share, and the uploads of each connection. This module is the
 * thread's entry.
 */
import { parentPort } from 'node:worker_threads';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { leavesRoomAt } from '../../../contract/hours.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { createNudge, sleep, steadyNow, wallNow } from '../../async/clock.ts';
import { createKeyedLock } from '../../async/lock.ts';
import { connectPort, type Peer, plainError } from '../../async/port-calls.ts';
import { createRateLimit, limitAt, slowest } from '../../async/rate-limit.ts';
import { createThrottle } from '../../async/throttle.ts';
import { REST_MS } from '../../data/end-by-force.ts';
import { comesToRest } from '../../data/files.ts';
import { createProbeAgent, createRenewableAgent, createStorageAgent } from '../../net/connector.ts';
import { createGate } from '../../net/gate.ts';
import { createNetwork, type HostSeen, noHosts, observe, probeHost } from '../../net/host-health.ts';
import { watchForWake } from '../../net/machine-changes.ts';
import type { Routing } from '../../net/route.ts';
import { createTimeRoundTrip } from '../../net/time-round-trip.ts';
import { createTrust } from '../../net/trust.ts';
import { openLedger } from '../ledger/ledger.ts';
import { createHasher } from '../source/hasher.ts';
import { createFileReader, openLocalFile } from '../source/local-file.ts';
import { dropOldLists } from '../source/reviewed-list.ts';
import { SEND_TIMEOUTS } from '../storage/put-request.ts';
import { createInterruptions, manyInARow } from '../transfer/interruptions.ts';
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
  let { trust: trustFiles = {} } = settings;
  const routing: Routing = {
    routeOf: (origin) => main.call('routeOf', origin),
    unreachable: (proxy) => main.tell('proxyUnreachable', proxy),
    nextLogin: (proxy, rejected) => main.call('nextLogin', { proxy, rejected }),
    trials: {
      begin: (trial) => main.call('beginTrial', trial),
      settle: (trial, outcome) => main.tell('settleTrial', { trial, outcome }),
    },
  };
  let trust = createTrust(trustFiles);
  const closing = new AbortController();
  const connecting = { routing, trust: () => trust(), closing: closing.signal };
  const storage = createRenewableAgent(() => createStorageAgent(connecting));
  const probes = createRenewableAgent(() => createProbeAgent(connecting));
  const renewPools = (): void => {
    trust = createTrust(trustFiles);
    storage.renew();
    probes.renew();
  };
  let hosts = noHosts;
  /** Reports an observation to main. */
  const seen = (one: HostSeen): void => {
    const before = hosts;
    hosts = observe(hosts, { ...one, side: 'storage' });
    if (hosts !== before) main.tell('seen', one);
  };
  const network = createNetwork({
    probe: (origin, signal) => probeHost(storage.dispatcher, origin, signal),
    patienceMs: settings.networkPatienceMs,
    probes: settings.probes,
    sleep,
  });
  const pauses = createNudge(sleep);
  const interruptions = createInterruptions({
    sleep: pauses.sleep,
    probes: settings.probes,
    patienceMs: settings.networkPatienceMs,
    onChange: (host, outage) =>
      seen(
        outage
          ? { type: 'unreachable', host, atMs: outage.sinceMs, reason: toErrorData(outage.reason) }
          : { type: 'forgotten', host },
      ),
    now: wallNow,
  });
  const pools = createPools(settings.concurrency, performance.now.bind(performance));
  // A single 503 among other responses concerns only its file; a storage that returns only 503 is paused.
  const gate = createGate({ inARow: () => manyInARow(pools.sending.taken()) });
  const line = createLineWatch({
    now: performance.now.bind(performance),
    leavesRoom: () => leavesRoomAt(speed.leaveRoom, new Date()),
    timeRoundTrip: createTimeRoundTrip(probes.dispatcher),
  });
  const stopWatching = watchForWake(() => {
    renewPools();
    line.forget();
    network.probeNow();
  });
  const hasher = createHasher(new URL(settings.hashThread), onBug);
  const reader = createFileReader(new URL(settings.readThread), (...file) => openLocalFile(...file, hasher), onBug);
  let { speed = { limit: undefined, leaveRoom: 'never' } } = settings;
  const shared = {
    ledger,
    storage: storage.dispatcher,
    open: reader.open,
    gate,
    network,
    interruptions,
    pause: pauses.sleep,
    seen,
    timeouts: { ...SEND_TIMEOUTS, ...settings.timeouts },
    listLagMs: settings.listLagMs ?? LIST_LAG_MS,
    limit: createRateLimit(() => slowest(speed.limit && limitAt(speed.limit, new Date()), line.rate()), sleep),
    md5Origins: new Map(),
    line,
    pools,
    lock: createKeyedLock(),
    unanswered: new Set<number>(),
    sleep,
    now: wallNow,
    steady: steadyNow,
  };
  const connections = new Map<
    number,
    { readonly uploads: Uploads; readonly setSession: (to: EngineSession) => void; readonly tell: () => void }
  >();

  const openUploads = ({ handle, connectionId, isLocal, ...at }: Parameters<EngineCalls['open']>[0]): Uploads => {
    let { session } = at;
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
      owner: () => ({ connectionId, subject: session.subject }),
      hours: settings.hours,
      assertSignedIn: () => {
        if (!session.signedIn) throw new DeskError('auth/required', 'nobody is signed in');
      },
      onBatch: (batch) => {
        changed.set(batch.batchId, batch);
        telling.request();
      },
      ...(settings.reportFiles && { onFile: (batch, file) => main.tell('file', { handle, batch, file }) }),
      onBug,
    });
    connections.set(handle, {
      uploads,
      tell,
      setSession: (to) => {
        session = to;
      },
    });
    return uploads;
  };

  const opened = (handle: number) => {
    const found = connections.get(handle);
    if (!found) throw new Error('there is no such connection');
    return found;
  };

  return {
    damage: ledger.damage,
    setSpeed: (changed) => {
      speed = changed;
    },
    waysChanged: (changed) => {
      trustFiles = changed;
      renewPools();
      line.forget();
      network.probeNow();
    },
    hurry: (options) => {
      network.probeNow();
      if (!options.pauses) return;
      gate.open();
      pauses.now();
      for (const { host, held } of hosts) if (held) seen({ type: 'released', host });
    },
    open: (connection) => {
      const uploads = openUploads(connection);
      const list = (): readonly Batch[] => uploads.list(connection.connectionId);
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
      stopWatching();
      await Promise.all([...connections.values()].map(({ uploads }) => uploads.close()));
      closing.abort();
      await Promise.all([storage.destroy(), probes.destroy()]);
      ledger.close();
      return { hangs: !(await comesToRest(REST_MS, reader.isReading)) };
    },
  };
};

/** What can no longer be read from a damaged ledger is left out; the damage itself is reported elsewhere. */
const readable = <T>(list: () => readonly T[]): readonly T[] => {
  try {
    return list();
  } catch {
    return [];
  }
};

if (!parentPort) throw new Error('this file runs as a worker thread');
const reportBug = (error: unknown): void => main.tell('bug', plainError(error));
const begin: EngineCalls['begin'] = (settings) => {
  const { damage, ...calls } = createEngine(settings, main, reportBug);
  main.serve(calls);
  return damage ? { damage: toErrorData(damage) } : {};
};
const main: Peer<MainCalls> = connectPort(parentPort, { begin }, reportBug);
