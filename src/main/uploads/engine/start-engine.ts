/**
 * Runs the upload engine in a worker, so that scanning, hashing, the ledger and the transfers never block the window. A
 * worker that dies is restarted, and its batches continue as they do after the app was killed.
 */

import { Worker } from 'node:worker_threads';
import { DeskError, fromErrorData, toErrorData } from '../../../contract/errors.ts';
import type { UploadFile } from '../../../contract/uploads.ts';
import { type Batch, isActive, isBeingCancelled } from '../../../contract/uploads.ts';
import { sleep } from '../../async/clock.ts';
import { connectPort, type Peer } from '../../async/port-calls.ts';
import { type RetryPolicy, retryWaitMs } from '../../async/retry.ts';
import { trialsOfWorker } from '../../net/proxy-passwords.ts';
import type { Routing } from '../../net/route.ts';
import type { TrustFiles } from '../../net/trust.ts';
import { isLoopback } from '../../net/urls.ts';
import type { UploadService } from '../transfer/transfer-context.ts';
import type {
  EngineCalls,
  EngineSession,
  EngineSettings,
  MainCalls,
  StorageSeen,
  UploadCall,
  UploadSpeed,
} from './engine-calls.ts';
import { answerServiceCalls } from './engine-calls.ts';
import type { Uploads } from './uploads-api.ts';

type Remote<Call extends (...args: never[]) => unknown> = (
  ...args: Parameters<Call>
) => Promise<Awaited<ReturnType<Call>>>;

/** `Uploads` in the worker. Every call may also reject with `upload/engine-stopped`. */
export type RemoteUploads = { readonly [Name in keyof Uploads]: Remote<Uploads[Name]> } & {
  /** All batches of the connection as the engine last reported them, oldest first. */
  readonly present: () => readonly Batch[];
  readonly setSession: (session: EngineSession) => void;
  /** Probes unreachable hosts immediately, because something indicates that they are back. */
  readonly probeNow: () => void;
  /** Probes unreachable hosts immediately and ends the pauses that hosts asked for (Retry-After). */
  readonly tryNow: () => void;
};

/** Every call of `Uploads`. Those that only read are repeated if the engine dies during the call. */
const CALLS: Readonly<Record<UploadCall, 'reads' | 'changes'>> = {
  preview: 'reads',
  clashes: 'reads',
  history: 'reads',
  start: 'changes',
  startTogether: 'changes',
  reviewEnded: 'changes',
  addLater: 'changes',
  list: 'reads',
  get: 'reads',
  files: 'reads',
  versions: 'reads',
  placeOf: 'reads',
  locate: 'reads',
  pause: 'changes',
  resume: 'changes',
  receiptSaved: 'changes',
  setSchedule: 'changes',
  cancel: 'changes',
  retryFailed: 'changes',
  retryFiles: 'changes',
  pauseAll: 'changes',
  resumeAll: 'changes',
  cancelAll: 'changes',
  retryAllFailed: 'changes',
  addAllLater: 'changes',
  resumeInterrupted: 'changes',
  ended: 'reads',
  errorGroups: 'reads',
  receipt: 'reads',
  report: 'reads',
  verify: 'reads',
  contentOf: 'reads',
  removable: 'reads',
  mayHaveArrived: 'reads',
  knownFiles: 'reads',
  removeFile: 'changes',
};

/** Whether the call only reads, so that it can be repeated. */
const isRead = (name: UploadCall): boolean => CALLS[name] === 'reads';

/** One function a call, made by `call`. */
const mapUploadCalls = (
  call: (name: UploadCall, args: readonly unknown[]) => Promise<unknown>,
): { readonly [Name in UploadCall]: Remote<Uploads[Name]> } => {
  const names = Object.keys(CALLS) as UploadCall[];
  const calls = names.map((name) => [name, (...args: readonly unknown[]) => call(name, args)]);
  return Object.fromEntries(calls);
};

export type EngineConnection = {
  /** The key under which the connection's batches are stored. */
  readonly connectionId: string;
  /** {base_url} of the API. If the service is on this machine, its storage may be, too. */
  readonly baseUrl: string;
  readonly session: EngineSession;
  /** Makes each call once: a transfer decides about retries. */
  readonly service: UploadService;
  readonly onBatches: (batches: readonly Batch[]) => void;
  readonly onFile: (batch: string, file: UploadFile) => void;
  readonly onSeen: (seen: StorageSeen) => void;
};

export type UploadEngine = {
  /** Why the ledger is read-only, if it is. */
  readonly damage: DeskError | undefined;
  readonly connect: (connection: EngineConnection) => Promise<RemoteUploads>;
  /** From now on uploads are that fast. */
  readonly setSpeed: (speed: UploadSpeed) => void;
  /** The routes have changed, or the network has. */
  readonly waysChanged: (trust: TrustFiles) => void;
  /** Aborts all work in progress; the next start continues it. */
  readonly close: () => Promise<void>;
  /** After `close`: whether its thread, and therefore the process, cannot exit normally. */
  readonly hangs: () => boolean;
};

type EngineOptions = {
  /** The module engine-worker.ts in this host. */
  readonly worker: URL;
  readonly settings: EngineSettings;
  /** How the engine reaches each storage. */
  readonly routing: Routing;
  /** Receives errors that no caller waits for, including each crash. */
  readonly onBug: (error: unknown) => void;
  /** Called when the engine crashed too often, or cannot restart. It then stays down until the app restarts. */
  readonly onDown: (error: DeskError) => void;
};

/** The waits before a crashed engine is restarted; after this many crashes in a row it stays down. */
const RESTARTS: RetryPolicy = { attempts: 5, firstMs: 250, growth: 2, longestMs: 10_000, jitter: false };
/** A worker that has run for this long has outlived the cause of the previous crash. */
const SETTLED_MS = 60_000;
/**
 * Without limits V8 lets the young generation of a busy worker grow to 100 MB and more, without a gain in speed, and
 * the old generation to four times the live data before it is collected. A limit below 2 GB halves that factor.
 */
const MEMORY = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1024 } as const;
/** How long a closing engine may take to record its progress. */
const END_MS = 10_000;

type Thread = {
  readonly engine: Peer<EngineCalls>;
  /** Lets the process exit: the worker's work is done. */
  readonly retire: () => void;
  readonly stop: () => Promise<unknown>;
};
type OpenConnection = EngineConnection & {
  session: EngineSession;
  readonly batches: Map<string, Batch>;
  /** Ids of the batches in progress. */
  readonly inProgress: Set<string>;
};

const isStopped = (error: unknown): boolean => error instanceof DeskError && error.code === 'upload/engine-stopped';

/** Starts the engine. Errors: `data/unwritable`. */
export const startEngine = async ({
  worker,
  settings,
  routing,
  onBug,
  onDown,
}: EngineOptions): Promise<UploadEngine> => {
  const connections = new Map<number, OpenConnection>();
  let lastHandle = 0;
  let crashes = 0;
  let closing = false;
  let hangs = false;
  let { speed, trust } = settings;

  const changed = ({ batches, inProgress, onBatches }: OpenConnection, all: readonly Batch[]): void => {
    for (const batch of all) {
      batches.set(batch.batchId, batch);
      const isInProgress = isActive(batch);
      inProgress[isInProgress ? 'add' : 'delete'](batch.batchId);
    }
    onBatches(all);
  };

  const find = (handle: number): OpenConnection => {
    const connection = connections.get(handle);
    // It was closed while the engine's call was on its way here.
    if (!connection) throw new DeskError('app/cancelled', 'the connection was closed');
    return connection;
  };

  const reportSeen = (seen: StorageSeen): void => {
    for (const { onSeen } of connections.values()) onSeen(seen);
  };

  const main: Omit<MainCalls, 'beginTrial' | 'settleTrial'> = {
    ...answerServiceCalls(find),
    batches: ({ handle, batches }) => {
      const connection = connections.get(handle);
      if (connection) changed(connection, batches);
    },
    file: ({ handle, batch, file }) => connections.get(handle)?.onFile(batch, file),
    seen: reportSeen,
    routeOf: routing.routeOf,
    proxyUnreachable: routing.unreachable,
    nextLogin: ({ proxy, rejected }) => routing.nextLogin(proxy, rejected),
    bug: onBug,
  };

  /** Marks the batches in progress as paused: without an engine, nothing else would update them. */
  const down = (error: DeskError): void => {
    for (const connection of connections.values()) {
      const stopped = [...connection.inProgress].flatMap((id) => connection.batches.get(id) ?? []);
      const reason = toErrorData(error);
      changed(
        connection,
        stopped.map((batch) => ({ ...batch, state: 'paused', reason, bytesPerSecond: 0 })),
      );
    }
    onDown(error);
  };

  const startThread = (): Thread => {
    const thread = new Worker(worker, { name: 'uploads', resourceLimits: MEMORY });
    const startedMs = performance.now();
    const trials = trialsOfWorker(routing.trials);
    const answers: MainCalls = {
      ...main,
      beginTrial: trials.begin,
      settleTrial: ({ trial, outcome }) => trials.settle(trial, outcome),
    };
    const engine = connectPort<EngineCalls>(thread, answers, onBug);
    let failure: unknown;
    thread.on('error', (error) => {
      failure = error;
    });
    thread.once('exit', () => {
      const stopped = new DeskError('upload/engine-stopped', 'the upload engine has stopped', { retry: 'later' });
      engine.end(stopped);
      trials.end();
      reportSeen({ type: 'restarted' });
      if (closing) return;
      onBug(failure ?? stopped);
      crashes = performance.now() - startedMs > SETTLED_MS ? 1 : crashes + 1;
      if (crashes === RESTARTS.attempts) return down(stopped);
      current = restart();
      current.catch((error) => {
        // If it died again, its own exit restarts it.
        if (isStopped(error)) return;
        if (!(error instanceof DeskError)) onBug(error);
        down(error instanceof DeskError ? error : stopped);
      });
    });
    return { engine, retire: () => thread.unref(), stop: () => thread.terminate() };
  };

  const restart = async (): Promise<Thread> => {
    await sleep(retryWaitMs(RESTARTS, crashes));
    const thread = startThread();
    try {
      await thread.engine.call('begin', { ...settings, speed, trust });
      await Promise.all([...connections].map(([handle, connection]) => reopen(thread, handle, connection)));
      return thread;
    } catch (error) {
      thread.retire();
      throw error;
    }
  };

  const open = async ({ engine }: Thread, handle: number, connection: OpenConnection): Promise<void> => {
    const { connectionId, baseUrl, session } = connection;
    const isLocal = isLoopback(new URL(baseUrl));
    const batches = await engine.call('open', { handle, connectionId, isLocal, session });
    for (const batch of batches) connection.batches.set(batch.batchId, batch);
  };

  const reopen = async (thread: Thread, handle: number, connection: OpenConnection): Promise<void> => {
    await open(thread, handle, connection);
    const cancelled = [...connection.batches.values()].filter(isBeingCancelled).map(({ batchId }) => batchId);
    const args = [[...new Set([...connection.inProgress, ...cancelled])]];
    await thread.engine.call('uploads', { handle, name: 'resumeInterrupted', args, cancellable: false }).catch(onBug);
  };

  const connect = async (options: EngineConnection): Promise<RemoteUploads> => {
    lastHandle += 1;
    const handle = lastHandle;
    const connection: OpenConnection = { ...options, batches: new Map(), inProgress: new Set() };
    connections.set(handle, connection);
    await open(await current, handle, connection);

    const call = async (name: UploadCall, args: readonly unknown[]): Promise<unknown> => {
      const last = args.at(-1);
      const signal = last instanceof AbortSignal ? last : undefined;
      const input = { handle, name, args: signal ? args.slice(0, -1) : args, cancellable: !!signal };
      const thread = await current;
      try {
        return await thread.engine.call('uploads', input, signal);
      } catch (error) {
        const isRestarted = isStopped(error) && (await current) !== thread;
        if (isRestarted && isRead(name)) return call(name, args);
        throw error;
      }
    };
    const hurry = (pauses: boolean): void => {
      current.then(({ engine }) => engine.tell('hurry', { pauses })).catch(onBug);
    };
    return {
      ...mapUploadCalls(call),
      probeNow: () => hurry(false),
      tryNow: () => hurry(true),
      present: () => [...connection.batches.values()],
      setSession: (session) => {
        connection.session = session;
        current.then(({ engine }) => engine.tell('session', { handle, session })).catch(onBug);
      },
      close: async () => {
        const thread = await current.catch(() => undefined);
        await thread?.engine.call('close', { handle }).catch((error) => {
          if (!isStopped(error)) throw error;
        });
        // A restarted engine does not know the connection and continues none of its batches.
        connections.delete(handle);
      },
    };
  };

  const setSpeed = (changed: UploadSpeed): void => {
    speed = changed;
    current.then(({ engine }) => engine.tell('setSpeed', changed)).catch(onBug);
  };

  const waysChanged = (changed: TrustFiles): void => {
    trust = changed;
    current.then(({ engine }) => engine.tell('waysChanged', changed)).catch(onBug);
  };

  const close = async (): Promise<void> => {
    closing = true;
    const thread = await current.catch(() => undefined);
    if (!thread) return;
    const patience = new AbortController();
    const ended = thread.engine.call('end', undefined).catch(onBug);
    const late = sleep(END_MS, patience.signal).then(() => ({ hangs: true }));
    late.catch(() => {});
    const answer = await Promise.race([ended, late]);
    patience.abort();
    hangs = answer?.hangs ?? false;
    // An idle thread is left running until the process exits: V8 may abort the whole process when a thread is terminated
    // while another one compiles ("Check failed: jit_page.has_value()", nodejs/node#64500).
    if (answer) thread.retire();
    else await thread.stop();
  };

  let current: Promise<Thread> = Promise.resolve(startThread());
  const { engine, retire } = await current;
  try {
    const { damage } = await engine.call('begin', { ...settings, speed, trust });
    return { damage: damage && fromErrorData(damage), connect, setSpeed, waysChanged, close, hangs: () => hangs };
  } catch (error) {
    closing = true;
    retire();
    throw error;
  }
};
