/**
 * The upload engine in a thread of its own: scanning, hashing, the ledger and the transfers keep no click waiting. A
 * thread that dies is started anew, and its batches go on as they would after a kill of the app.
 */
import { Worker } from 'node:worker_threads';
import { type Batch, isBeingCancelled } from '../../../contract/batches.ts';
import { DeskError, fromErrorData, toErrorData } from '../../../contract/errors.ts';
import type { UploadFile } from '../../../contract/upload-files.ts';
import type { UploadLimit } from '../../../contract/upload-limit.ts';
import { connectPort, type Peer } from '../../async/port-calls.ts';
import { sleep } from '../../async/sleep.ts';
import { isLoopback } from '../../net/secure-url.ts';
import type { UploadService } from '../transfer/transfer-context.ts';
import type { EngineCalls, EngineSession, EngineSettings, MainCalls, StorageSeen, UploadCall } from './engine-calls.ts';
import { isRead, mapUploadCalls, type RemoteUploads } from './remote-uploads.ts';

export type EngineConnection = {
  /** What the connection's batches are kept under. */
  readonly key: string;
  /** {base_url} of the interface: where that is on this machine, the storage may be, too. */
  readonly baseUrl: string;
  readonly session: EngineSession;
  /** Each call is made once: a transfer decides about trying again by itself. */
  readonly service: UploadService;
  readonly onBatch: (batch: Batch) => void;
  readonly onFile: (batch: string, file: UploadFile) => void;
  readonly onSeen: (seen: StorageSeen) => void;
};

export type UploadEngine = {
  /** Why the ledger is read-only, if it is. */
  readonly damage: DeskError | undefined;
  readonly connect: (connection: EngineConnection) => Promise<RemoteUploads>;
  /** How fast uploads may be from now on. */
  readonly setLimit: (limit: UploadLimit | undefined) => void;
  /** Breaks off what runs; the next start goes on with it. */
  readonly close: () => Promise<void>;
  /** After `close`: its thread cannot end, nor can the process by itself. */
  readonly hangs: () => boolean;
};

export type EngineOptions = {
  /** The module of engine/engine-worker.ts as this host has it. */
  readonly worker: URL;
  readonly settings: EngineSettings;
  /** Gets what goes wrong where nobody waits for it, each crash among it. */
  readonly onBug: (error: unknown) => void;
  /** The engine crashed too often, or cannot begin again, and stays down until the app starts again. */
  readonly onDown: (error: DeskError) => void;
};

/** The wait before a crashed engine is started again, doubled each time; at this many in a row it stays down. */
const FIRST_RESTART_MS = 250;
const MAX_CRASHES = 5;
/** A thread that has lived this long has got over what killed the one before. */
const SETTLED_MS = 60_000;
/** What an ending engine may take to write down how far it was. */
const END_MS = 10_000;

type Thread = {
  readonly engine: Peer<EngineCalls>;
  /** It has ended its work and keeps no process alive any more. */
  readonly retire: () => void;
  readonly stop: () => Promise<unknown>;
};
type Live = EngineConnection & {
  session: EngineSession;
  readonly batches: Map<string, Batch>;
  /** Batches at work in this process. */
  readonly atWork: Set<string>;
};

const isStopped = (error: unknown): boolean => error instanceof DeskError && error.code === 'upload/engine-stopped';

/** Starts the engine. Errors: `data/unwritable`. */
export const startEngine = async ({ worker, settings, onBug, onDown }: EngineOptions): Promise<UploadEngine> => {
  const connections = new Map<number, Live>();
  let lastConnection = 0;
  let crashes = 0;
  let closing = false;
  let hangs = false;
  let { limit } = settings;

  const changed = ({ batches, atWork, onBatch }: Live, batch: Batch): void => {
    batches.set(batch.batch, batch);
    const isAtWork = batch.state === 'scanning' || batch.state === 'running';
    atWork[isAtWork ? 'add' : 'delete'](batch.batch);
    onBatch(batch);
  };

  const main: MainCalls = {
    signUpload: ({ connection, subject, request }, signal) =>
      serviceOf(connection, subject).signUpload(request, { signal }),
    removeFile: ({ connection, subject, request }, signal) =>
      serviceOf(connection, subject).removeFile(request, { signal }),
    batch: ({ connection, batch }) => {
      const one = connections.get(connection);
      if (one) changed(one, batch);
    },
    file: ({ connection, batch, file }) => connections.get(connection)?.onFile(batch, file),
    seen: (seen) => saw(seen),
    bug: onBug,
  };
  const saw = (seen: StorageSeen): void => {
    for (const { onSeen } of connections.values()) onSeen(seen);
  };

  const live = (connection: number): Live => {
    const one = connections.get(connection);
    // Closed while the engine's call was on its way here.
    if (!one) throw new DeskError('app/cancelled', 'the connection was closed');
    return one;
  };

  /** Asked here, where a new session is known at once: the engine may have called before it heard of it. */
  const serviceOf = (connection: number, subject: string | undefined): UploadService => {
    const { service, session } = live(connection);
    if (subject === undefined || session.subject === undefined || subject === session.subject) return service;
    throw new DeskError('upload/other-session', 'somebody else has signed in');
  };

  /** Nobody is at work on the batches any more, and nobody else would say so. */
  const down = (error: DeskError): void => {
    for (const one of connections.values()) {
      for (const batch of [...one.atWork].flatMap((id) => one.batches.get(id) ?? [])) {
        changed(one, { ...batch, state: 'paused', reason: toErrorData(error), bytesPerSecond: 0 });
      }
    }
    onDown(error);
  };

  const startThread = (): Thread => {
    const thread = new Worker(worker, { name: 'uploads' });
    const startedMs = performance.now();
    const engine = connectPort<EngineCalls>(thread, main, onBug);
    let failure: unknown;
    thread.on('error', (error) => {
      failure = error;
    });
    thread.once('exit', () => {
      const stopped = new DeskError('upload/engine-stopped', 'the upload engine has stopped', { retry: 'later' });
      engine.end(stopped);
      saw({ type: 'restarted' });
      if (closing) return;
      onBug(failure ?? stopped);
      crashes = performance.now() - startedMs > SETTLED_MS ? 1 : crashes + 1;
      if (crashes === MAX_CRASHES) return down(stopped);
      current = restart();
      current.catch((error) => {
        // One that died again begins once more.
        if (isStopped(error)) return;
        if (!(error instanceof DeskError)) onBug(error);
        down(error instanceof DeskError ? error : stopped);
      });
    });
    return { engine, retire: () => thread.unref(), stop: () => thread.terminate() };
  };

  const restart = async (): Promise<Thread> => {
    await sleep(FIRST_RESTART_MS * 2 ** (crashes - 1));
    const thread = startThread();
    try {
      await thread.engine.call('begin', { ...settings, limit });
      await Promise.all([...connections].map(([connection, one]) => reopen(thread, connection, one)));
      return thread;
    } catch (error) {
      thread.retire();
      throw error;
    }
  };

  const open = async ({ engine }: Thread, connection: number, one: Live): Promise<void> => {
    const { key, baseUrl, session } = one;
    const isLocal = isLoopback(new URL(baseUrl));
    const batches = await engine.call('open', { connection, key, isLocal, session });
    for (const batch of batches) one.batches.set(batch.batch, batch);
  };

  const reopen = async (thread: Thread, connection: number, one: Live): Promise<void> => {
    await open(thread, connection, one);
    const cancelled = [...one.batches.values()].filter(isBeingCancelled).map(({ batch }) => batch);
    const args = [[...new Set([...one.atWork, ...cancelled])]];
    await thread.engine
      .call('uploads', { connection, name: 'resumeInterrupted', args, cancellable: false })
      .catch(onBug);
  };

  const connect = async (connection: EngineConnection): Promise<RemoteUploads> => {
    lastConnection += 1;
    const id = lastConnection;
    const one: Live = { ...connection, batches: new Map(), atWork: new Set() };
    connections.set(id, one);
    await open(await current, id, one);

    const call = async (name: UploadCall, args: readonly unknown[]): Promise<unknown> => {
      const signal = args.at(-1) instanceof AbortSignal ? (args.at(-1) as AbortSignal) : undefined;
      const input = { connection: id, name, args: signal ? args.slice(0, -1) : args, cancellable: !!signal };
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
      present: () => [...one.batches.values()],
      setSession: (session) => {
        one.session = session;
        current.then(({ engine }) => engine.tell('session', { connection: id, session })).catch(onBug);
      },
      close: async () => {
        const thread = await current.catch(() => undefined);
        await thread?.engine.call('close', { connection: id }).catch((error) => {
          if (!isStopped(error)) throw error;
        });
        // An engine that is started again does not know it, and goes on with nothing of it.
        connections.delete(id);
      },
    };
  };

  const setLimit = (changed: UploadLimit | undefined): void => {
    limit = changed;
    current.then(({ engine }) => engine.tell('limit', changed)).catch(onBug);
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
    // An idle thread is left to the end of the process: V8 may abort all of it when a thread is taken down while
    // another one compiles ("Check failed: jit_page.has_value()", nodejs/node#64500).
    if (answer) thread.retire();
    else await thread.stop();
  };

  let current: Promise<Thread> = Promise.resolve(startThread());
  const { engine, retire } = await current;
  try {
    const { damage } = await engine.call('begin', { ...settings, limit });
    return { damage: damage && fromErrorData(damage), connect, setLimit, close, hangs: () => hangs };
  } catch (error) {
    closing = true;
    retire();
    throw error;
  }
};
