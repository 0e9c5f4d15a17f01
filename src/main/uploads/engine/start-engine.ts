/** Runs the upload engine in a worker, so that it does not block the window, and restarts it when it dies. */

import { existsSync } from 'node:fs';
import { isLoopback, isSameUser, type Owner } from '../../../contract/connection.ts';
import { DeskError, type ErrorData, fromErrorData, toErrorData } from '../../../contract/errors.ts';
import { type Batch, isActive, isBeingCancelled, type UploadFile } from '../../../contract/uploads.ts';
import { orCancelled, withDeadline } from '../../async/cancel.ts';
import { sleep } from '../../async/clock.ts';
import { functionsBy, type Remote, startWorker } from '../../async/port-calls.ts';
import { type RetryPolicy, retryWaitMs } from '../../async/retry.ts';
import type { Observation } from '../../net/host-health.ts';
import { trialsOfWorker } from '../../net/proxy-passwords.ts';
import type { Routing } from '../../net/route.ts';
import type { BeingRemoved } from '../ledger/known-files.ts';
import type { UploadService } from '../transfer/transfer-context.ts';
import type { ConnectionCalls, EngineCalls, EngineChange, EngineSettings, MainCalls } from './engine-worker.ts';
import type { EngineSession, Uploads } from './uploads.ts';

/** The calls of `Uploads`, which run in the worker. Each may also reject with `upload/engine-stopped`. */
export type RemoteUploads = ReturnType<typeof createRemoteUploads>;

export type EngineConnection = {
  /** The key of the connection's batches in the ledger. */
  readonly connectionId: string;
  /** {base_url} of the API. If the service is on this machine, its storage may be on this machine, too. */
  readonly baseUrl: string;
  readonly session: EngineSession;
  /** The files that users have asked to remove: uploads do not rely on them. `removalsChanged` reports changes. */
  readonly beingRemoved: () => BeingRemoved;
  /** Makes each call once: the transfers themselves retry. */
  readonly service: UploadService;
  readonly onBatches: (batches: readonly Batch[]) => void;
  readonly onFile: (batch: string, file: UploadFile) => void;
  readonly onSeen: (seen: Observation) => void;
  /** Called when the engine has exited: its observations of hosts are lost. */
  readonly onExit: () => void;
  /**
   * Probes the service. Resolves to false if `origin` is not the origin of the service. Rejects if the service does not
   * respond, or if main is already waiting for the service.
   */
  readonly probe: (origin: string, signal: AbortSignal) => Promise<boolean>;
};

export type UploadEngine = Awaited<ReturnType<typeof startEngine>>;

type EngineOptions = {
  /** The URL of engine-worker.ts. */
  readonly worker: URL;
  readonly settings: EngineSettings;
  readonly routing: Routing;
  /** Receives errors that no caller waits for, including each crash. */
  readonly onBug: (error: unknown) => void;
  /** Called when the engine crashed too often, or cannot restart. The engine then stays down until the app restarts. */
  readonly onDown: (error: DeskError) => void;
};

/** The waits before a crashed engine is restarted; after `attempts` crashes in a row it stays down. */
const RESTARTS: RetryPolicy = { attempts: 5, firstMs: 250, growth: 2, longestMs: 10_000, jitter: false };
/** If a worker has run for this long, its crash counts as unrelated to the previous one. */
const SETTLED_MS = 60_000;
/**
 * The memory limits of the worker. Without limits, V8 lets its heap grow far beyond the live data before it collects
 * garbage.
 */
const MEMORY = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1024 } as const;
/** How long a closing engine may take to record its progress. */
const END_MS = 10_000;

type OpenConnection = EngineConnection & {
  /** The number of the connection's channel. Two connections may briefly share a `connectionId`. */
  readonly channel: number;
  session: EngineSession;
  readonly batches: Map<string, Batch>;
  readonly inProgress: Set<string>;
  openedIn: Running | undefined;
};

const stoppedError = (): DeskError =>
  new DeskError('upload/engine-stopped', 'the upload engine has stopped', { retry: 'later' });

const isStopped = (error: unknown): boolean => error instanceof DeskError && error.code === 'upload/engine-stopped';

/** Starts the engine; without a ledger, its worker starts later. Errors: `data/unwritable`, `upload/engine-stopped`. */
export const startEngine = async ({ onDown, ...options }: EngineOptions) => {
  const { routing, onBug } = options;
  let { settings } = options;
  /** The open connections by channel. */
  const connections = new Map<number, OpenConnection>();
  let lastChannel = 0;

  const note = ({ batches, inProgress }: OpenConnection, all: readonly Batch[]): void => {
    for (const batch of all) {
      batches.set(batch.batchId, batch);
      const isInProgress = isActive(batch);
      inProgress[isInProgress ? 'add' : 'delete'](batch.batchId);
    }
  };
  const changed = (connection: OpenConnection, all: readonly Batch[]): void => {
    // While the app reconnects, two connections to the same service are open, but the engine reports changes only to
    // the one that is about to be closed.
    for (const one of connections.values()) if (one.connectionId === connection.connectionId) note(one, all);
    connection.onBatches(all);
  };

  /**
   * Returns the connection's service. Throws `upload/other-session` if `subject` is no longer the user of the
   * connection: main learns of a new session before the engine does, so a call of the engine can still be the former
   * user's.
   */
  const serviceFor = (channel: number, subject: Owner['subject']): UploadService => {
    const connection = connections.get(channel);
    // The connection was closed while the engine's call was on its way to main.
    if (!connection) throw new DeskError('app/cancelled', 'the connection was closed');
    if (isSameUser({ subject }, connection.session)) return connection.service;
    throw new DeskError('upload/other-session', 'somebody else has signed in');
  };
  /**
   * Returns the functions that the worker calls for a connection. These functions remain in memory after the connection
   * is closed, so they refer to the connection only by its channel.
   */
  const callsOf = (channel: number): ConnectionCalls => ({
    signUpload: async (...call) => serviceFor(channel, call[1]).signUpload(...call),
    removeFile: async (...call) => serviceFor(channel, call[1]).removeFile(...call),
    batches: (batches) => {
      const connection = connections.get(channel);
      if (connection) changed(connection, batches);
    },
    file: (batch, file) => connections.get(channel)?.onFile(batch, file),
  });

  /** Reports batches in progress as paused, because no engine updates them any more, and calls `onDown`. */
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

  const open = async (running: Running, connection: OpenConnection): Promise<void> => {
    // The worker may have opened the connection already when it started.
    if (connection.openedIn === running) return;
    connection.openedIn = running;
    const { channel, connectionId, baseUrl, session } = connection;
    running.channel(channel).serve(callsOf(channel));
    const isLocal = isLoopback(new URL(baseUrl));
    const beingRemoved = connection.beingRemoved();
    const batches = await running.call.open(channel, { connectionId, isLocal, session, beingRemoved });
    for (const batch of batches) connection.batches.set(batch.batchId, batch);
  };

  const reopen = async (running: Running, connection: OpenConnection): Promise<void> => {
    await open(running, connection);
    const { connectionId, batches } = connection;
    const twins = [...connections.values()].filter((one) => one.connectionId === connectionId);
    // Two connections to the same service may be open, but a batch must run only once.
    if (twins.at(-1) !== connection) return;
    const inProgress = twins.flatMap((one) => [...one.inProgress]);
    const cancelled = [...batches.values()].filter(isBeingCancelled).map(({ batchId }) => batchId);
    const ids = [...new Set([...inProgress, ...cancelled])];
    await uploadsIn(running, connection).call.resumeInterrupted(ids).catch(onBug);
  };

  const kept = keepWorker({
    ...options,
    settings: () => settings,
    main: {
      seen: (seen) => {
        for (const { onSeen } of connections.values()) onSeen(seen);
      },
      probe: async (origin, signal) => {
        for (const connection of connections.values()) if (await connection.probe(origin, signal)) return true;
        return false;
      },
      routeOf: routing.routeOf,
      unreachable: routing.unreachable,
      nextLogin: routing.nextLogin,
    },
    onStarted: (running) => Promise.all([...connections.values()].map((connection) => reopen(running, connection))),
    onExit: () => {
      for (const { onExit } of connections.values()) onExit();
    },
    onDown: down,
  });
  /** Opens the connection in the worker that runs or is being started or, if that worker dies, in the next one. */
  const openInPresent = async (connection: OpenConnection): Promise<void> => {
    const started = kept.started();
    if (!started) return;
    try {
      await open(await started, connection);
    } catch (error) {
      if (!isStopped(error) || kept.started() === started) throw error;
      await openInPresent(connection);
    }
  };
  const damage = existsSync(settings.ledgerPath) ? await kept.begin() : undefined;
  return {
    /** Why the ledger is read-only; undefined if it can be written. */
    damage,
    /** Starts the worker if necessary; resolves once there is a ledger. Errors: `data/…`, `upload/engine-stopped`. */
    ready: (): Promise<unknown> => kept.current(),
    connect: async (options: EngineConnection): Promise<RemoteUploads> => {
      lastChannel += 1;
      const own = { channel: lastChannel, batches: new Map(), inProgress: new Set<string>(), openedIn: undefined };
      const connection: OpenConnection = { ...options, ...own };
      connections.set(lastChannel, connection);
      // Once closed, the connection is removed, so that a restarted engine does not continue its batches.
      const remove = (): void => void connections.delete(connection.channel);
      try {
        await openInPresent(connection);
      } catch (error) {
        remove();
        throw error;
      }
      return createRemoteUploads(kept, connection, remove);
    },
    /** Changes settings immediately. `trust` must also be passed when the network or the routes have changed. */
    change: (changed: EngineChange): void => {
      settings = { ...settings, ...changed };
      kept.tell(({ tell }) => tell.change(changed));
    },
    /** Aborts all work in progress; after the next start of the app, `resumeInterrupted` continues it. */
    close: kept.close,
    /** Whether the worker, and therefore the process, cannot exit normally after `close`. */
    hangs: kept.hangs,
  };
};

const uploadsIn = (running: Running, { channel }: OpenConnection) => running.channel<Uploads>(channel);

/**
 * Creates the calls of a connection's uploads. Each goes to the worker that runs when the call is made and, if that
 * worker dies and the call can be repeated, to the next one.
 */
const createRemoteUploads = (
  { current, started, tell }: Pick<KeptWorker, 'current' | 'started' | 'tell'>,
  connection: OpenConnection,
  onClosed: () => void,
) => {
  const call = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const running = await current();
    const made = uploadsIn(running, connection).call[name as keyof Uploads] as (...args: unknown[]) => Promise<unknown>;
    try {
      return await made(...args);
    } catch (error) {
      const next = isStopped(error) ? await current() : running;
      if (next !== running && (await uploadsIn(next, connection).call.isRepeatable(name))) return call(name, args);
      throw error;
    }
  };
  const calls = functionsBy<
    Remote<Omit<Uploads, 'isRepeatable' | 'setSession' | 'setBeingRemoved' | 'tell' | 'close'>>
  >(
    (name) =>
      (...args: unknown[]) =>
        call(name, args),
  );
  return Object.assign(calls, {
    /** To be called when something indicates that unreachable hosts are back. Probes them immediately. */
    probeNow: (): void => tell((engine) => engine.tell.probeNow()),
    /** Probes unreachable hosts immediately, and ends pauses before retries, including pauses that hosts requested. */
    tryNow: (): void => tell((engine) => engine.tell.tryNow()),
    /** All batches of the connection as the engine last reported them, oldest first. */
    present: (): readonly Batch[] => [...connection.batches.values()],
    setSession: (session: EngineSession): void => {
      connection.session = session;
      tell((engine) => uploadsIn(engine, connection).tell.setSession(session));
    },
    /** To be called when `beingRemoved` has changed; applies to all calls that are made afterwards. */
    removalsChanged: (): void =>
      tell((engine) => uploadsIn(engine, connection).tell.setBeingRemoved(connection.beingRemoved())),
    close: async (): Promise<void> => {
      const running = await started()?.catch(() => undefined);
      if (running)
        await uploadsIn(running, connection)
          .call.close()
          .catch((error) => {
            if (!isStopped(error)) throw error;
          });
      onClosed();
    },
  });
};

// The worker, which is restarted when it dies.

type Running = ReturnType<typeof startWorker<EngineCalls>>;

type KeptWorkerOptions = Pick<EngineOptions, 'worker' | 'routing' | 'onBug' | 'onDown'> & {
  readonly settings: () => EngineSettings;
  readonly main: Omit<MainCalls, 'beginTrial' | 'settleTrial'>;
  /** Prepares a worker that has begun, before it gets any other call. */
  readonly onStarted: (running: Running) => Promise<unknown>;
  readonly onExit: () => void;
};

type KeptWorker = ReturnType<typeof keepWorker>;

/** Starts the worker once it is needed, and restarts it until `close` or until it has crashed too often in a row. */
const keepWorker = (options: KeptWorkerOptions) => {
  const { worker, routing, settings, main, onStarted, onExit, onBug, onDown } = options;
  let crashes = 0;
  let closing = false;
  let hangs = false;
  let hasBegun = false;
  /** A worker whose `begin` has not succeeded. The next launch uses it, because it must not be terminated (`close`). */
  let unbegun: Running | undefined;

  const start = (): Running => {
    const startedMs = performance.now();
    const trials = trialsOfWorker(routing.trials);
    return startWorker<EngineCalls>(worker, {
      name: 'uploads',
      resourceLimits: MEMORY,
      local: { ...main, beginTrial: trials.begin, settleTrial: trials.settle } satisfies MainCalls,
      stopped: stoppedError,
      onBug,
      onExit: (failure) => {
        trials.end();
        unbegun = undefined;
        onExit();
        if (closing) return;
        const stopped = stoppedError();
        if (failure === undefined) onBug(stopped);
        crashes = performance.now() - startedMs > SETTLED_MS ? 1 : crashes + 1;
        if (crashes === RESTARTS.attempts) {
          keep(Promise.reject(stopped));
          return onDown(stopped);
        }
        keep(sleep(retryWaitMs(RESTARTS, crashes)).then(() => (closing ? Promise.reject(stopped) : launch())));
      },
    });
  };

  const launch = async (isFirst = false): Promise<Running> => {
    unbegun ??= start();
    const running = unbegun;
    running.thread.ref();
    try {
      ({ damage } = await running.call.begin(settings(), isFirst));
      unbegun = undefined;
      hasBegun = true;
      await onStarted(running);
      return running;
    } catch (error) {
      running.thread.unref();
      throw error;
    }
  };

  const keep = (launched: Promise<Running>): Promise<Running> => {
    current = launched;
    launched.catch((error) => {
      // If the worker died, its exit handler decides about a restart.
      if (isStopped(error)) return;
      // Without a ledger there is nothing to continue: the call fails, and the next call tries again.
      if (error instanceof DeskError && !hasBegun) {
        current = undefined;
        return;
      }
      if (!(error instanceof DeskError)) onBug(error);
      onDown(error instanceof DeskError ? error : stoppedError());
    });
    return launched;
  };

  let current: Promise<Running> | undefined;
  let damage: ErrorData | undefined;
  return {
    /** Starts the first worker. Resolves to why the ledger is read-only, if it is. Errors: those of `startEngine`. */
    begin: async (): Promise<DeskError | undefined> => {
      try {
        current = launch(true);
        await current;
        return damage && fromErrorData(damage);
      } catch (error) {
        closing = true;
        throw error;
      }
    },
    /** Resolves to the worker, which the first call starts. Errors: `data/…`, `upload/engine-stopped`. */
    current: async (): Promise<Running> => current ?? (closing ? Promise.reject(stoppedError()) : keep(launch())),
    /** Resolves to the worker that runs or is being started; undefined if none was started. Starts none itself. */
    started: (): Promise<Running> | undefined => current,
    /** Calls `send`, which sends one-way messages, once the worker has started. Does nothing if none was started. */
    tell: (send: (engine: Running) => void): void => {
      const running = current?.catch(() => undefined);
      running?.then((one) => one && send(one)).catch(onBug);
    },
    close: async () => {
      closing = true;
      const running = await current?.catch(() => undefined);
      if (!running) return;
      const ended = running.call.end().catch(onBug);
      const inTime = withDeadline(END_MS, undefined, (signal) => orCancelled(ended, signal));
      const result = await inTime.catch(() => true);
      hangs = result === true;
      // A worker is left running until the process exits, unless its `end` failed. V8 may abort the whole process
      // ("Check failed: jit_page.has_value()") when a worker is terminated while another one compiles.
      // nodejs/node#64500 reports similar crashes of the same part of V8.
      if (result !== undefined) running.thread.unref();
      else await running.thread.terminate();
    },
    hangs: (): boolean => hangs,
  };
};
