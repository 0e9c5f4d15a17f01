/** The engine's side of its port: the ledger, what all transfers share, and the uploads of each connection. */

import type { Batch } from '../../../contract/batches.ts';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { createKeyedLock } from '../../async/keyed-lock.ts';
import { connectPort, type Peer, type Port } from '../../async/port-calls.ts';
import { createRateLimit } from '../../async/rate-limit.ts';
import { sleep } from '../../async/sleep.ts';
import { comesToRest } from '../../data/at-rest.ts';
import { REST_MS } from '../../data/end-by-force.ts';
import { createStorageAgent } from '../../net/agents.ts';
import { createGate } from '../../net/gate.ts';
import { createNetwork } from '../../net/network.ts';
import { createNudge } from '../../net/nudge.ts';
import { probeHost } from '../../net/probe.ts';
import { type HostSeen, noHosts, observe } from '../../net/reachability.ts';
import { createRenewableAgent } from '../../net/renewable.ts';
import { watchForWake } from '../../net/wake.ts';
import { openLedger } from '../ledger/ledger.ts';
import { createFileReader } from '../source/file-reader.ts';
import { createHasher } from '../source/hasher.ts';
import { openLocalFile } from '../source/local-file.ts';
import { SEND_TIMEOUTS } from '../storage/put-request.ts';
import type { EngineCalls, EngineSession, EngineSettings, MainCalls } from './engine-calls.ts';
import { limitAt } from './limit-at.ts';
import { createPools } from './pool.ts';
import { createUploads, type Uploads } from './uploads.ts';

type Engine = Omit<EngineCalls, 'begin'> & { readonly damage: DeskError | undefined };

/** Answers what is asked at `port`. */
export const serveEngine = (port: Port): void => {
  let begun: Engine | undefined;
  const engine = (): Engine => {
    if (!begun) throw new Error('the engine has not begun');
    return begun;
  };
  const local: EngineCalls = {
    begin: (settings) => {
      begun = createEngine(settings, main, tellBug);
      return begun.damage ? { damage: toErrorData(begun.damage) } : {};
    },
    limit: (limit) => engine().limit(limit),
    hurry: (options) => engine().hurry(options),
    open: (connection) => engine().open(connection),
    session: (change) => engine().session(change),
    uploads: (call, signal) => engine().uploads(call, signal),
    close: (connection) => engine().close(connection),
    end: () => engine().end(undefined),
  };
  const tellBug = (error: unknown): void => main.tell('bug', error instanceof Error ? error : new Error(String(error)));
  const main: Peer<MainCalls> = connectPort(port, local, tellBug);
};

const createEngine = (settings: EngineSettings, main: Peer<MainCalls>, onBug: (error: unknown) => void): Engine => {
  const ledger = openLedger(settings.ledgerPath);
  const storage = createRenewableAgent(createStorageAgent);
  let hosts = noHosts;
  /** Main is told what is new. */
  const seen = (one: HostSeen): void => {
    const before = hosts;
    hosts = observe(hosts, { ...one, side: 'storage' });
    if (hosts !== before) main.tell('seen', one);
  };
  const network = createNetwork({
    probe: (origin, signal) => probeHost(storage.dispatcher, origin, signal),
    patienceMs: settings.networkPatienceMs,
    sleep,
  });
  const pauses = createNudge(sleep);
  // One 503 among answers concerns its file only; a storage that answers nothing else is held.
  const gate = createGate({ inARow: 3 });
  const stopWatching = watchForWake(() => {
    storage.renew();
    network.probeNow();
  });
  const hasher = createHasher(new URL(settings.hashThread), onBug);
  const reader = createFileReader(new URL(settings.readThread), (...file) => openLocalFile(...file, hasher), onBug);
  let { limit } = settings;
  const shared = {
    ledger,
    storage: storage.dispatcher,
    open: reader.open,
    gate,
    network,
    pause: pauses.sleep,
    seen,
    timeouts: { ...SEND_TIMEOUTS, ...settings.timeouts },
    limit: createRateLimit(() => limit && limitAt(limit, new Date()), sleep),
    pools: createPools(settings.concurrency, Date.now),
    lock: createKeyedLock(),
    unanswered: new Set<number>(),
    sleep,
    now: Date.now,
  };
  const connections = new Map<
    number,
    { readonly uploads: Uploads; readonly setSession: (to: EngineSession) => void }
  >();

  const openUploads = ({ connection, key, isLocal, ...at }: Parameters<EngineCalls['open']>[0]): Uploads => {
    let { session } = at;
    const uploads = createUploads({
      context: {
        ...shared,
        isLocal,
        service: {
          signUpload: (request, { signal, subject }) =>
            main.call('signUpload', { connection, subject, request }, signal),
          removeFile: (request, { signal, subject } = {}) =>
            main.call('removeFile', { connection, subject, request }, signal),
        },
      },
      owner: () => ({ connection: key, subject: session.subject }),
      assertSignedIn: () => {
        if (!session.signedIn) throw new DeskError('auth/required', 'nobody is signed in');
      },
      onBatch: (batch) => main.tell('batch', { connection, batch }),
      ...(settings.tellFiles && { onFile: (batch, file) => main.tell('file', { connection, batch, file }) }),
      onBug,
    });
    connections.set(connection, {
      uploads,
      setSession: (to) => {
        session = to;
      },
    });
    return uploads;
  };

  const opened = (connection: number) => {
    const found = connections.get(connection);
    if (!found) throw new Error('there is no such connection');
    return found;
  };

  return {
    damage: ledger.damage,
    limit: (changed) => {
      limit = changed;
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
      const list = (): readonly Batch[] => uploads.list(connection.key);
      return ledger.damage ? readable(list) : list();
    },
    session: ({ connection, session }) => opened(connection).setSession(session),
    uploads: ({ connection, name, args, cancellable }, signal) => {
      const call = opened(connection).uploads[name] as (...args: readonly unknown[]) => unknown;
      return call(...args, ...(cancellable ? [signal] : []));
    },
    close: ({ connection }) => opened(connection).uploads.close(),
    end: async () => {
      stopWatching();
      await Promise.all([...connections.values()].map(({ uploads }) => uploads.close()));
      await storage.destroy();
      ledger.close();
      return { hangs: !(await comesToRest(REST_MS, reader.isReading)) };
    },
  };
};

/** What a damaged ledger does not give any more is left out; its damage is told of. */
const readable = <T>(list: () => readonly T[]): readonly T[] => {
  try {
    return list();
  } catch {
    return [];
  }
};
