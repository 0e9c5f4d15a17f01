/**
 * Calls between the main thread and a worker. A call has a name, and its input and result are cloneable. The caller may
 * cancel it.
 */
import { DeskError, type ErrorData, fromErrorData, toErrorData } from '../../contract/errors.ts';
import { onAbort } from './cancel.ts';
import { createCoalescer } from './throttle.ts';

/** One end of a `MessageChannel`, a `Worker` or a worker's `parentPort`. */
type Port = {
  readonly postMessage: (message: unknown) => void;
  readonly on: (event: 'message', listener: (messages: readonly Message[]) => void) => unknown;
};

/**
 * The calls that one end serves. `signal` is aborted when the caller cancels, or when this end calls `end`; for a
 * one-way message it never is.
 */
type Calls = Readonly<Record<string, (input: never, signal: AbortSignal) => unknown>>;

export type Peer<Remote extends Calls> = {
  /** Rejects with the error of the other end (a `DeskError` stays one), or with the error passed to `end`. */
  readonly call: <Name extends keyof Remote & string>(
    name: Name,
    input: Parameters<Remote[Name]>[0],
    signal?: AbortSignal,
  ) => Promise<Awaited<ReturnType<Remote[Name]>>>;
  /** Sends a one-way message. Calls and messages arrive in the order in which they were made. */
  readonly tell: <Name extends keyof Remote & string>(name: Name, input: Parameters<Remote[Name]>[0]) => void;
  /** Passes an error that no call waits for to `onBug` of the other end. */
  readonly reportBug: (error: unknown) => void;
  /** From now on, `local` serves the calls of the other end. */
  readonly serve: (local: Calls) => void;
  /** Ends the connection: rejects open and later calls with `error`, and aborts the calls that this end is serving. */
  readonly end: (error: Error) => void;
};

type Message =
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly input: never }
  | { readonly type: 'tell'; readonly name: string; readonly input: never }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly error: SentError }
  | { readonly type: 'bug'; readonly error: SentError };

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void };

/**
 * Serves the calls of the other end with `local`. `onBug` receives the errors of one-way messages, and the errors that
 * the other end reports. Without it, the errors of one-way messages are reported to the other end.
 */
export const connectPort = <Remote extends Calls>(
  port: Port,
  local: Calls,
  onBug?: (error: unknown) => void,
): Peer<Remote> => {
  const waiting = new Map<number, Waiting>();
  const running = new Map<number, AbortController>();
  const never = new AbortController().signal;
  let lastId = 0;
  let ended: Error | undefined;
  // Waking the receiving thread costs more than a message, so messages are sent in groups.
  const { add: post, addLazily: postLazily } = createCoalescer<Message>((messages) => port.postMessage(messages));

  const reportBug = (error: unknown): void => {
    if (!ended) postLazily({ type: 'bug', error: sentError(error) });
  };

  let served = local;
  const run = async (name: string, input: never, signal: AbortSignal): Promise<unknown> =>
    served[name]?.(input, signal);

  const result = async (id: number, name: string, input: never): Promise<void> => {
    const cancel = new AbortController();
    running.set(id, cancel);
    try {
      post({ type: 'result', id, value: await run(name, input, cancel.signal) });
    } catch (error) {
      post({ type: 'refusal', id, error: sentError(error) });
    } finally {
      running.delete(id);
    }
  };

  const settle = (id: number): Waiting | undefined => {
    const one = waiting.get(id);
    waiting.delete(id);
    return one;
  };

  const receive = (message: Message): void => {
    switch (message.type) {
      case 'call':
        void result(message.id, message.name, message.input);
        break;
      case 'tell':
        run(message.name, message.input, never).catch(onBug ?? reportBug);
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

  const call = (name: string, input: unknown, signal?: AbortSignal): Promise<unknown> => {
    if (ended) return Promise.reject(ended);
    lastId += 1;
    const id = lastId;
    const { promise, resolve, reject } = Promise.withResolvers();
    waiting.set(id, { resolve, reject });
    post({ type: 'call', id, name, input: input as never });
    const stop = signal && onAbort(signal, () => post({ type: 'cancel', id }));
    return promise.finally(stop);
  };

  return {
    call: call as Peer<Remote>['call'],
    tell: (name, input) => {
      if (!ended) postLazily({ type: 'tell', name, input: input as never });
    },
    reportBug,
    serve: (next) => {
      served = next;
    },
    end: (error) => {
      ended = error;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      for (const cancel of running.values()) cancel.abort(error);
    },
  };
};

/** An error in a message. */
type SentError = ErrorData | Error;

/** Makes a thrown value cloneable. A `DeskError` is sent as data, because a clone of it would lose its code. */
const sentError = (thrown: unknown): SentError =>
  thrown instanceof DeskError ? toErrorData(thrown) : plainError(thrown);

const receivedError = (sent: SentError): Error => (sent instanceof Error ? sent : fromErrorData(sent));

/** Keeps the name, message, stack and cause of an error. Drops its other properties, and a cause that is no error. */
const plainError = (thrown: unknown): Error => {
  if (!(thrown instanceof Error)) return new Error(String(thrown));
  const { name, message, stack, cause } = thrown;
  const plain = new Error(message, cause instanceof Error ? { cause: plainError(cause) } : {});
  return Object.assign(plain, { name, stack });
};
