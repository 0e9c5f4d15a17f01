/**
 * Calls between the main thread and a worker. Each end serves functions, which the other end calls like its own.
 * Arguments and results have to be cloneable. An `AbortSignal` can be the last argument: the function then gets a
 * signal that is aborted when the caller's signal is, or when `end` is called on the serving side.
 */
import { type WorkerOptions as NodeWorkerOptions, Worker } from 'node:worker_threads';
import { DeskError, type ErrorData, fromErrorData, toErrorData } from '../../contract/errors.ts';
import { onAbort } from './cancel.ts';
import { createCoalescer } from './throttle.ts';

type Port = {
  readonly postMessage: (message: unknown) => void;
  readonly on: (event: 'message', listener: (messages: readonly Message[]) => void) => unknown;
};

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

/**
 * The functions of `Served` as the other end calls them. They reject with a copy of the error that the function threw
 * (a `DeskError` stays a `DeskError`), or with the error passed to `end`.
 */
export type Remote<Served> = {
  readonly [Name in keyof Served]: Served[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

type OneWay<Served extends Functions> = {
  readonly [Name in keyof Served]: (...args: Parameters<Served[Name]>) => void;
};

/**
 * A channel of a port. In a channel, this end calls the functions that the other end serves, and serves its own
 * functions.
 */
type Channel<Served extends Functions> = {
  readonly call: Remote<Served>;
  /** Sends one-way messages. Calls and messages of all channels arrive in the order of sending. */
  readonly tell: OneWay<Served>;
  /** Serves `local` from now on. `onSettled`: called when a function has settled, before its result is sent. */
  readonly serve: (local: Functions, onSettled?: () => void) => void;
};

/** The other end of a port. Without `channel`, its functions are those that the two ends serve from the start. */
export type Peer<Served extends Functions> = Channel<Served> & {
  /** Returns the channel with this number, from 1, in which both ends serve other functions over the same port. */
  readonly channel: <Others extends Functions>(channel: number) => Channel<Others>;
  /** Calls `onBug` of the other end with an error that no caller receives. */
  readonly reportBug: (error: unknown) => void;
  /**
   * Ends the connection: rejects calls in flight and later calls with `error`, and aborts the calls that this end is
   * serving.
   */
  readonly end: (error: Error) => void;
};

/**
 * Returns an object with a function for every name. `make` creates each function when it is first used. `then` is left
 * out, so that an async function can return the object.
 */
export const functionsBy = <T extends object>(make: (name: string) => unknown): T =>
  new Proxy(Object.create(null), {
    get: (made: Record<string, unknown>, name) => {
      if (typeof name !== 'string' || name === 'then') return undefined;
      made[name] ??= make(name);
      return made[name];
    },
  });

type Made = { readonly channel: number; readonly name: string; readonly args: readonly never[] };

type Message =
  | (Made & { readonly type: 'call'; readonly id: number; readonly isCancellable: boolean })
  | (Made & { readonly type: 'tell' })
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly error: SentError }
  | { readonly type: 'bug'; readonly error: SentError };

/** The channel of the functions that a port serves from the start. */
const MAIN_CHANNEL = 0;

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void };

/**
 * Connects to the other end of `port`, and serves `local` to it. `onBug` receives the errors of one-way messages, and
 * errors that the other end reports. Without `onBug`, the other end receives the errors of one-way messages.
 * `onWaiting`: called when the first call begins to wait for its result, and when no call waits any more.
 */
export const connectPort = <Served extends Functions>(
  port: Port,
  local: Functions,
  onBug?: (error: unknown) => void,
  onWaiting: (isWaiting: boolean) => void = () => {},
): Peer<Served> => {
  const waiting = new Map<number, Waiting>();
  const running = new Map<number, AbortController>();
  let lastId = 0;
  let ended: Error | undefined;
  // Waking the receiving thread costs more than a message, so messages are sent in groups.
  const { add: post, addLazily: postLazily } = createCoalescer<Message>((messages) => port.postMessage(messages));

  const reportBug = (error: unknown): void => {
    if (!ended) postLazily({ type: 'bug', error: sentError(error) });
  };

  const served = new Map<number, { readonly local: Functions; readonly onSettled?: (() => void) | undefined }>();
  served.set(MAIN_CHANNEL, { local });
  const run = async ({ channel, name, args }: Made): Promise<unknown> => {
    const { local, onSettled } = served.get(channel) ?? {};
    const wanted = local?.[name];
    if (wanted === undefined) throw new Error(`the port has no function ${name}`);
    try {
      return await wanted(...args);
    } finally {
      onSettled?.();
    }
  };

  const result = async ({ id, isCancellable, ...made }: Message & { type: 'call' }): Promise<void> => {
    const cancel = isCancellable ? new AbortController() : undefined;
    if (cancel) running.set(id, cancel);
    try {
      const args = cancel ? [...made.args, cancel.signal as never] : made.args;
      post({ type: 'result', id, value: await run({ ...made, args }) });
    } catch (error) {
      post({ type: 'refusal', id, error: sentError(error) });
    } finally {
      running.delete(id);
    }
  };

  const settle = (id: number): Waiting | undefined => {
    const one = waiting.get(id);
    if (waiting.delete(id) && waiting.size === 0) onWaiting(false);
    return one;
  };

  const receive = (message: Message): void => {
    switch (message.type) {
      case 'call':
        void result(message);
        break;
      case 'tell':
        run(message).catch(onBug ?? reportBug);
        break;
      case 'cancel':
        running.get(message.id)?.abort(new DeskError('app/cancelled', 'cancelled'));
        break;
      case 'result':
        settle(message.id)?.resolve(message.value as never);
        break;
      case 'refusal':
        settle(message.id)?.reject(receivedError(message.error));
        break;
      case 'bug':
        onBug?.(receivedError(message.error));
    }
  };
  port.on('message', (messages) => messages.forEach(receive));

  const call = (channel: number, name: string, args: readonly unknown[]): Promise<unknown> => {
    if (ended) return Promise.reject(ended);
    lastId += 1;
    const id = lastId;
    const { promise, resolve, reject } = Promise.withResolvers();
    if (waiting.size === 0) onWaiting(true);
    waiting.set(id, { resolve, reject });
    const last = args.at(-1);
    const signal = last instanceof AbortSignal ? last : undefined;
    const sent = (signal ? args.slice(0, -1) : args) as readonly never[];
    post({ type: 'call', id, channel, name, args: sent, isCancellable: signal !== undefined });
    const stop = signal && onAbort(signal, () => post({ type: 'cancel', id }));
    return promise.finally(stop);
  };
  const tell = (channel: number, name: string, args: readonly never[]): void => {
    if (!ended) postLazily({ type: 'tell', channel, name, args });
  };
  const channelOf = <Others extends Functions>(channel: number): Channel<Others> => ({
    call: functionsBy(
      (name) =>
        (...args: readonly unknown[]) =>
          call(channel, name, args),
    ),
    tell: functionsBy(
      (name) =>
        (...args: readonly never[]) =>
          tell(channel, name, args),
    ),
    serve: (local, onSettled) => void served.set(channel, { local, onSettled }),
  });

  return {
    ...channelOf<Served>(MAIN_CHANNEL),
    channel: channelOf,
    reportBug,
    end: (error) => {
      ended = error;
      for (const { reject } of waiting.values()) reject(error);
      if (waiting.size > 0) onWaiting(false);
      waiting.clear();
      for (const cancel of running.values()) cancel.abort(error);
    },
  };
};

type WorkerOptions = Pick<NodeWorkerOptions, 'name' | 'workerData' | 'resourceLimits'> & {
  readonly local?: Functions;
  /** Whether the worker keeps the process alive only while a call waits for it. Default: false. */
  readonly isBackground?: boolean;
  readonly stopped: () => Error;
  /** Receives the error that ends the worker, and errors that no caller receives. */
  readonly onBug: (error: unknown) => void;
  /**
   * Called once the worker has exited and its calls in flight were rejected. `failure`: the error that ended the
   * worker; undefined if it exited without an error.
   */
  readonly onExit?: (failure: unknown) => void;
};

/**
 * Starts the worker whose entry is `module`. The worker serves `Served`. Unless `isBackground` is set, the worker keeps
 * the process alive until it exits or `thread.unref` is called.
 */
export const startWorker = <Served extends Functions>(
  module: URL,
  { local = {}, isBackground = false, stopped, onBug, onExit, ...options }: WorkerOptions,
) => {
  const thread = new Worker(module, options);
  const hold = (isWaiting: boolean) => (isWaiting ? thread.ref() : thread.unref());
  const peer = connectPort<Served>(thread, local, onBug, isBackground ? hold : undefined);
  // The listener that `connectPort` added makes the worker keep the process alive.
  if (isBackground) thread.unref();
  let failure: unknown;
  thread.on('error', (error) => {
    failure = error;
  });
  thread.once('exit', () => {
    peer.end(stopped());
    if (failure !== undefined) onBug(failure);
    onExit?.(failure);
  });
  return { ...peer, thread };
};

type SentError = ErrorData | Error;

/** Makes a thrown value cloneable. A `DeskError` is sent as data, because a clone of the error would lose its code. */
const sentError = (thrown: unknown): SentError =>
  thrown instanceof DeskError ? toErrorData(thrown) : plainError(thrown);

const receivedError = (sent: SentError): Error => (sent instanceof Error ? sent : fromErrorData(sent));

/**
 * Copies the name, message and stack of an error, and its cause if that is an error. Other properties are possibly not
 * cloneable.
 */
const plainError = (thrown: unknown): Error => {
  if (!(thrown instanceof Error)) return new Error(String(thrown));
  const { name, message, stack, cause } = thrown;
  const plain = new Error(message, cause instanceof Error ? { cause: plainError(cause) } : {});
  return Object.assign(plain, { name, stack });
};
