/** The upload engine's worker: the ledger, the state that all transfers share, and the uploads of each connection. */
import module from 'node:module';
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { Owner } from '../../../contract/connection.ts';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { type Hours, type LeaveRoom, leavesRoomAt, type UploadLimit } from '../../../contract/hours.ts';
import type { Batch, UploadFile } from '../../../contract/uploads.ts';
import { createNudge, sleep, steadyNow, wallNow } from '../../async/clock.ts';
import { createKeyedLock } from '../../async/lock.ts';
import { connectPort, type Peer } from '../../async/port-calls.ts';
import { createRateLimit, limitAt } from '../../async/rate-limit.ts';
import type { RetryPolicy } from '../../async/retry.ts';
import { comesToRest } from '../../data/end-by-force.ts';
import { createProbeAgent, createRenewableAgent, createStorageAgent } from '../../net/connector.ts';
import { createGate } from '../../net/gate.ts';
import { createHostHealth, type Observation, probeHost } from '../../net/host-health.ts';
import { watchForWake } from '../../net/machine-changes.ts';
import type { LoginTrials } from '../../net/proxy-passwords.ts';
import type { Routing } from '../../net/route.ts';
import { createTimeRoundTrip } from '../../net/time-round-trip.ts';
import { createTrust, type TrustFiles } from '../../net/trust.ts';
import type { BeingRemoved } from '../ledger/known-files.ts';
import { openLedger } from '../ledger/ledger.ts';
import { createArchives } from '../source/archives.ts';
import { createHasher } from '../source/hasher.ts';
import { createFileReader, openLocalFile } from '../source/local-file.ts';
import { splitInner } from '../source/paths.ts';
import { dropOldLists } from '../source/scan.ts';
import { BLOCK_SIZES, SEND_TIMEOUTS, type SendTimeouts } from '../storage/put-file.ts';
import type { SignedUrlRules } from '../storage/signed-url.ts';
import { createLineWatch } from '../transfer/congestion.ts';
import { createInterruptions, manyInARow } from '../transfer/interruptions.ts';
import { type Concurrency, createPools } from '../transfer/pool.ts';
import type { UploadService } from '../transfer/transfer-context.ts';
import { createUploads, type EngineSession, type Uploads } from './uploads.ts';

export type UploadSpeed = {
  readonly limit: UploadLimit | undefined;
  readonly leaveRoom: LeaveRoom;
};

export type EngineSettings = {
  readonly ledgerPath: string;
  /** The URL of source/read-worker.ts. */
  readonly readWorker: string;
  /** The maximum numbers of concurrent transfers and of concurrent requests for signatures. */
  readonly concurrency: Concurrency;
  /** Absent: uploads have no limit and do not give way. */
  readonly speed?: UploadSpeed | undefined;
  /** The organisation's hours for uploads; users cannot override them. Absent: at any time. */
  readonly hours?: Hours | undefined;
  /** How long to wait for a host that is unreachable or interrupts every transfer, in ms. Absent: without limit. */
  readonly networkPatienceMs?: number | undefined;
  /** The delays between probes of an unreachable host. Absent: the defaults of `net/host-health.ts`. */
  readonly probes?: RetryPolicy | undefined;
  readonly timeouts?: Partial<SendTimeouts> | undefined;
  /** How far the service's lists may lag behind uploads, in ms. Absent: 5 seconds. */
  readonly listLagMs?: number | undefined;
  /** Whether each settled file is reported. */
  readonly reportFiles: boolean;
  /** Certificate authorities to trust in addition to the usual ones. */
  readonly trust?: TrustFiles | undefined;
};

/** The settings that can change while the engine runs. `trust` must also be passed when the network has changed. */
export type EngineChange = Partial<Pick<EngineSettings, 'speed' | 'reportFiles' | 'trust'>>;

/**
 * The functions that main serves in the channel of a connection, where the worker serves the connection's `Uploads`.
 */
export type ConnectionCalls = UploadService & {
  /** Reports batches that have changed; no batch occurs twice in one call. */
  readonly batches: (batches: readonly Batch[]) => void;
  readonly file: (batch: string, file: UploadFile) => void;
};

/** The functions that main serves to the whole engine. */
export type MainCalls = Pick<Routing, 'routeOf' | 'unreachable' | 'nextLogin'> & {
  readonly seen: (seen: Observation) => void;
  /** Calls `probe` of each `EngineConnection` until one resolves to true; resolves to false if none does. */
  readonly probe: (origin: string, signal: AbortSignal) => Promise<boolean>;
  readonly beginTrial: LoginTrials['begin'];
  readonly settleTrial: LoginTrials['settle'];
};

export type EngineCalls = Omit<ReturnType<typeof createEngine>, 'damage'> & {
  /**
   * To be called before all other calls, and again if it has failed. `isFirst`: no review is open in this process, so
   * lists of reviewed files that no upload needs can be deleted. `damage`: why the ledger is read-only. Errors:
   * `data/unwritable`.
   */
  readonly begin: (settings: EngineSettings, isFirst: boolean) => { readonly damage?: ErrorData };
};

/** The default of `listLagMs`: an estimate of the longest delay until the service's lists include an uploaded file. */
const LIST_LAG_MS = 5_000;

const createEngine = (
  given: EngineSettings,
  isFirst: boolean,
  main: Peer<MainCalls>,
  onBug: (error: unknown) => void,
) => {
  let settings = given;
  const ledger = openLedger(settings.ledgerPath);
  if (isFirst && !ledger.damage) dropOldLists(ledger.lists, ledger.batches.reviewedLists());
  const pools = createPools(settings.concurrency, performance.now.bind(performance));
  const leavesRoom = (): boolean => leavesRoomAt(settings.speed?.leaveRoom ?? 'never', new Date());
  const hosts = createHosts(settings, main, pools.sending.taken, leavesRoom);
  const readWorker = new URL(settings.readWorker);
  const hasher = createHasher(readWorker, onBug);
  const archives = createArchives(readWorker, hasher, onBug);
  const reader = createFileReader(
    readWorker,
    (path, expected) => (splitInner(path) ? archives.open(path, expected) : openLocalFile(path, expected, hasher)),
    onBug,
  );
  const shared = {
    ...hosts.forTransfers,
    ledger,
    open: reader.open,
    timeouts: { ...SEND_TIMEOUTS, ...settings.timeouts },
    listLagMs: settings.listLagMs ?? LIST_LAG_MS,
    limit: createRateLimit(() => {
      const { limit } = settings.speed ?? {};
      return hosts.forTransfers.line.rate(limit && limitAt(limit, new Date()));
    }, sleep),
    blockSizes: BLOCK_SIZES,
    md5Origins: new Map(),
    pools,
    lock: createKeyedLock(),
    unanswered: new Map<number, number>(),
    sleep,
    now: wallNow,
    steady: steadyNow,
  };
  const connections: Uploads[] = [];

  return {
    damage: ledger.damage,
    /** Changes settings immediately, for transfers in progress as well. */
    change: (changed: EngineChange): void => {
      settings = { ...settings, ...changed };
      if (changed.trust) hosts.renew(changed.trust);
    },
    probeNow: hosts.probeNow,
    tryNow: hosts.tryNow,
    /** Opens a connection. `channel`: the number of its channel. */
    open: (channel: number, { connectionId, session, isLocal, beingRemoved }: ConnectionFacts): readonly Batch[] => {
      const { call, tell, serve } = main.channel<ConnectionCalls>(channel);
      const uploads = createUploads({
        // All calls to the service go through main, which alone knows immediately whose session it is.
        context: { ...shared, isLocal, service: call },
        connectionId,
        session,
        hours: settings.hours,
        onBatches: tell.batches,
        onFile: tell.file,
        reportsFiles: () => settings.reportFiles,
        onBug,
      });
      uploads.setBeingRemoved(beingRemoved);
      connections.push(uploads);
      // Main receives the changes made by a call before the result of the call.
      serve(uploads, uploads.tell);
      return ledger.damage ? readable(uploads.list) : uploads.list();
    },
    /**
     * Aborts all transfers and closes the ledger. Resolves to whether a pending read keeps the process from exiting.
     */
    end: async (): Promise<boolean> => {
      hosts.stop();
      await Promise.all(connections.map((uploads) => uploads.close()));
      await hosts.close();
      ledger.close();
      // The process exits without ending this worker, so the worker's compile cache has to be flushed here.
      module.flushCompileCache?.();
      return !(await comesToRest(reader.isReading));
    },
  };
};

/**
 * Creates agents and records of hosts. `sending`: the number of files in transfer; `leavesRoom`: whether uploads give
 * way.
 */
const createHosts = (
  settings: EngineSettings,
  main: Peer<MainCalls>,
  sending: () => number,
  leavesRoom: () => boolean,
) => {
  const { probes, networkPatienceMs: patienceMs } = settings;
  const routing: Routing = {
    routeOf: main.call.routeOf,
    unreachable: main.tell.unreachable,
    nextLogin: main.call.nextLogin,
    trials: { begin: main.call.beginTrial, settle: main.tell.settleTrial },
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
      if (!(await main.call.probe(origin, signal))) await probeHost(storage, origin, signal);
    },
    onChange: (_, seen) => main.tell.seen(seen),
    patienceMs,
    probes,
  });
  const { sleep: pause, now: endPauses } = createNudge(sleep);
  const interruptions = createInterruptions({ sleep: pause, report: health.report, now: wallNow, patienceMs, probes });
  // A single 503 among other responses concerns only its file. After many in a row, the storage is paused.
  const gate = createGate({ inARow: () => manyInARow(sending()) });
  const now = performance.now.bind(performance);
  const line = createLineWatch(now, leavesRoom, createTimeRoundTrip(probeAgent.dispatcher));
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

type ConnectionFacts = SignedUrlRules &
  Pick<Owner, 'connectionId'> & { readonly session: EngineSession; readonly beingRemoved: BeingRemoved };

/**
 * Returns the result of `list`, or an empty array if a damaged ledger cannot supply the result. `begin` reports the
 * damage.
 */
const readable = <T>(list: () => readonly T[]): readonly T[] => {
  try {
    return list();
  } catch {
    return [];
  }
};

export const serveEngine = (port: MessagePort): void => {
  const begin: EngineCalls['begin'] = (settings, isFirst) => {
    const { damage, ...calls } = createEngine(settings, isFirst, main, main.reportBug);
    main.serve(calls);
    return damage ? { damage: toErrorData(damage) } : {};
  };
  const main: Peer<MainCalls> = connectPort(port, { begin });
};

if (parentPort) serveEngine(parentPort);
