/**
 * The service and its storage on a network that fails in every way of docs/reliability.md. The history decides how
 * often.
 */
import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { DeskError } from '../../src/contract/errors.ts';
import type { RemovalRequest, SignRequest, UploadService } from '../../src/main/uploads/transfer/transfer-context.ts';
import type { Random } from '../../src/sandbox/sample/sample-data.ts';
import { createStorage, type StorageDialect } from '../storages/kinds.ts';
import { hasEnded, type Process, type VirtualTime } from './virtual-time.ts';

/** The probabilities of the faults, from 0 to 1. */
export type Rates = {
  readonly busy: number;
  readonly failed: number;
  readonly lost: number;
  readonly refused: number;
  readonly expired: number;
  readonly swallowed: number;
  readonly cut: number;
  readonly silent: number;
  readonly late: number;
  readonly damaged: number;
  readonly slow: number;
};

export const NO_FAULTS: Rates = {
  busy: 0,
  failed: 0,
  lost: 0,
  refused: 0,
  expired: 0,
  swallowed: 0,
  cut: 0,
  silent: 0,
  late: 0,
  damaged: 0,
  slow: 0,
};

/** Draws whether each fault never occurs, sometimes, or almost always. */
export const drawRates = (random: Random): Rates => {
  const rate = (): number => (random.chance(0.6) ? 0 : random.chance(0.05) ? 0.9 : random.integer(1, 100) / 600);
  return Object.fromEntries(Object.keys(NO_FAULTS).map((name) => [name, rate()])) as Rates;
};

/**
 * Returns a random selection of `all`, at least one. A history that uses only some of what is possible reaches states
 * that are hardly ever reached by one that uses a little of everything (Groce et al., Swarm Testing, ISSTA 2012).
 */
export const drawSome = <T>(random: Random, all: readonly T[]): readonly T[] => {
  const some = all.filter(() => random.chance(0.5));
  return some.length > 0 ? some : all;
};

export type World = ReturnType<typeof createWorld>;

export const ORIGIN = 'https://storage.test';
const URL_MS = 900_000;
/** A request that is in flight when its process dies arrives within this time, or never. */
export const IN_FLIGHT_MS = 200;
/** The maximum delay of a late response; later than this, the app no longer waits (`SEND_TIMEOUTS`). */
const LATE_MS = 290_000;
/**
 * The time after the end of a connection within which the storage or the service may still process a request that it
 * has received.
 */
export const AFTER_END_MS = 2_000;

/** `endedMs`: returns when the app ended the connection. */
type Connection = { readonly endedMs: () => number };

/**
 * Returns the query of a signed URL, by which the app recognises the kind of storage and the expiry. The signature is
 * not checked, because that would take long.
 */
export const queryOf = (dialect: StorageDialect, nowMs: number): string => {
  const date = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  if (dialect === 's3') return `X-Amz-Date=${date}&X-Amz-Expires=${URL_MS / 1000}`;
  if (dialect === 'google') return `X-Goog-Date=${date}&X-Goog-Expires=${URL_MS / 1000}`;
  return dialect === 'azure' ? `sv=2024-11-04&se=${new Date(nowMs + URL_MS).toISOString()}&sp=cw&sig=s` : 'signature=s';
};

const UNSIGNED = { method: 'PUT', path: '/', query: '', headers: {} };
const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
const md5 = (content: Uint8Array): string => createHash('md5').update(content).digest('hex');
/**
 * Creates the error of a call. `phase`: `connect` if the service cannot have processed the request, `exchange` if it
 * may have.
 */
const unreachable = (phase: 'connect' | 'exchange'): DeskError =>
  new DeskError('service/unreachable', 'the service cannot be reached', {
    retry: 'later',
    details: { phase, origin: 'https://service.test' },
  });
export const socketError = (): Error => Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
export const refusedError = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });

/** Creates the service and its storage. `tell` is called with each event, for the trace. */
export const createWorld = (
  time: VirtualTime,
  random: Random,
  { dialect, tell }: { readonly dialect: StorageDialect; readonly tell: (event: string) => void },
) => {
  const kind = createStorage(dialect, { id: '', key: '' });
  const held = new Map<string, string>();
  const swallowed = new Set<string>();
  const everSwallowed = new Set<string>();
  const named = new Map<
    string,
    { readonly FileName: string; readonly AssignmentId: string; readonly computer: number | undefined }
  >();
  const expired = new Set<string>();
  let rates = NO_FAULTS;
  let isSignedIn = true;
  let isDown = false;
  let keys = 0;

  /** Draws one of the possible faults; undefined if none occurs. */
  const fault = (...possible: readonly (keyof Rates)[]): keyof Rates | undefined =>
    possible.find((one) => random.chance(rates[one]));
  /** Draws a time of up to `longestMs`: this time, half of it, a quarter and so on, each equally often. */
  const long = (longestMs: number): number => longestMs / 2 ** random.integer(0, 8);
  const delay = (): number => (random.chance(rates.slow) ? long(20_000) : random.integer(1, 60));

  /** Returns the error of a call that the service refuses; undefined if it does not refuse the call. */
  const refusalOfCall = (): DeskError | undefined => {
    if (!isSignedIn) return new DeskError('auth/required', 'nobody is signed in');
    if (isDown) return unreachable('connect');
    const found = fault('busy', 'failed', 'refused');
    if (found === 'busy')
      return new DeskError('service/busy', 'busy', { retry: 'later', retryAfterMs: random.integer(0, 5_000) });
    if (found === 'failed') return new DeskError('service/failed', 'failed', { retry: 'later' });
    return found && new DeskError('service/refused', 'refused');
  };

  /** Makes a call to the service, which may not process it, and whose response may be lost. */
  const call = async <T>(name: string, work: () => T, signal?: AbortSignal): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const process = time.process();
    const stop = (): void => reject(new DeskError('app/cancelled', 'cancelled'));
    const deliver = (settle: () => void): void => {
      if (process) time.inside(process, () => void time.after(delay(), settle));
    };
    /** The service processes the call even if the calling process is dead by then. */
    const answer = (): void => {
      const isLost = random.chance(rates.lost);
      const done = attempt(work);
      tell(`${name}${isLost ? ', and the response is lost' : ''}`);
      if (isLost) deliver(() => reject(unreachable('exchange')));
      else deliver(() => (done.ok ? resolve(done.value) : reject(done.error)));
    };
    const arrive = (): void => {
      const error = refusalOfCall();
      if (error) reject(error);
      else time.outside(() => void time.after(random.integer(0, 20), answer));
    };
    signal?.addEventListener('abort', stop);
    time.after(delay(), arrive);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  };

  const sign = ({ AssignmentId, FileName }: SignRequest, computer?: number) => {
    keys += 1;
    const Key = `key-${keys}`;
    named.set(Key, { FileName, AssignmentId, computer });
    return { AssignmentId, Key, Url: `${ORIGIN}/${Key}?${queryOf(dialect, time.wallNow())}` };
  };
  const remove = ({ AssignmentId, Key }: RemovalRequest) => {
    if (!held.delete(Key)) throw new DeskError('service/not-found', 'not there');
    const Files = [...held.keys()].flatMap((key) => {
      const of = named.get(key);
      return of?.AssignmentId === AssignmentId ? [{ Key: key, FileName: of.FileName, UploadedBy: 'CONTRACTOR' }] : [];
    });
    return { AssignmentId, FacilityId: '', Files };
  };
  const service: UploadService = {
    signUpload: (request, _subject, signal) => call(`sign ${request.FileName}`, () => sign(request), signal),
    removeFile: (request, _subject, signal) => call(`remove ${request.Key}`, () => remove(request), signal),
  };

  const store = (key: string, content: Buffer): void => {
    held.set(key, sha256(content));
    swallowed.delete(key);
    tell(`stored ${key} ${held.get(key)?.slice(0, 8)}`);
  };
  const swallow = (key: string, content: Buffer): void => {
    if (held.has(key)) return;
    swallowed.add(key);
    everSwallowed.add(`${named.get(key)?.FileName} ${sha256(content)}`);
    tell(`swallowed ${key}`);
  };

  type Response = {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly text?: string;
  };
  const refusal = (status: number, message = ''): Response => ({
    status,
    text: `<Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`,
  });

  /**
   * Processes a whole file. Returns the response of the storage; undefined if it never responds; `lost` if the
   * connection ends instead.
   */
  const receive = (
    key: string,
    content: Buffer,
    process: Process | undefined,
    connection: Connection,
  ): Response | 'lost' | undefined => {
    const found = fault('busy', 'failed', 'refused', 'expired', 'swallowed', 'damaged', 'lost', 'silent', 'late');
    if (found === 'expired') expired.add(key);
    if (expired.has(key)) return refusal(403, 'Request has expired');
    if (found === 'busy') return { status: 503, ...(random.chance(0.5) && { headers: { 'retry-after': '1' } }) };
    if (found === 'failed') return { status: random.pick([408, 500, 504]) };
    if (found === 'refused') return refusal(403);
    const proof = (of: Buffer): Response => kind.receive(UNSIGNED).stored(md5(of));
    if (found === 'swallowed') {
      swallow(key, content);
      return { status: 200, headers: {} };
    }
    // An ETag of another storage counts as an MD5 only once one was right. Until then, the app does not notice damage.
    if (found === 'damaged' && ['google', 'azure'].includes(dialect) && content.length > 1) {
      store(key, content.subarray(1));
      return proof(content.subarray(1));
    }
    if (found === 'late') {
      time.after(long(LATE_MS), () => {
        if (!hasEnded(process) && time.now() - connection.endedMs() < AFTER_END_MS) store(key, content);
      });
      return undefined;
    }
    store(key, content);
    if (found === 'lost') return 'lost';
    return found === 'silent' ? undefined : proof(content);
  };

  const dispatch = (
    { path, body }: { readonly path: string; readonly body: Buffer | AsyncIterable<Buffer> },
    handler: Dispatcher.DispatchHandler,
  ): boolean => {
    const key = path.slice(1).split('?')[0] ?? '';
    const process = time.process();
    let isOver = false;
    let abortedMs = Number.POSITIVE_INFINITY;
    const controller = {
      aborted: false,
      paused: false,
      reason: null,
      rawHeaders: null,
      rawTrailers: null,
      pause: () => {},
      resume: () => {},
      abort: (reason: Error) => {
        if (isOver) return;
        isOver = true;
        controller.aborted = true;
        abortedMs = time.now();
        time.after(0, () => handler.onResponseError?.(controller as never, reason));
      },
    };
    const fail = (error: Error): void => {
      if (isOver) return;
      isOver = true;
      handler.onResponseError?.(controller as never, error);
    };
    const respond = ({ status, headers = {}, text = '' }: Response): void => {
      if (isOver) return;
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      handler.onResponseStart?.(controller as never, status, lower, '');
      if (text !== '') handler.onResponseData?.(controller as never, Buffer.from(text));
      isOver = true;
      handler.onResponseEnd?.(controller as never, {});
    };
    const back = (ms: number, settle: () => void): void => {
      if (process) time.inside(process, () => void time.after(ms, settle));
    };
    const send = async (): Promise<void> => {
      if (isOver) return;
      if (isDown) return fail(refusedError());
      handler.onRequestStart?.(controller as never, {});
      const isCut = random.chance(rates.cut);
      const parts: Buffer[] = [];
      const content = Buffer.isBuffer(body) ? [body] : body;
      try {
        for await (const part of content) {
          await time.sleep(random.integer(1, 30));
          if (isOver) return;
          if (isCut || isDown) return fail(socketError());
          parts.push(Buffer.from(part));
        }
      } catch (error) {
        return fail(error as Error);
      }
      const whole = Buffer.concat(parts);
      const travel = random.chance(rates.slow) ? long(30_000) : random.integer(0, 40);
      // The file is now in flight. It can arrive even if the process dies or aborts the request, but only soon after
      // that.
      time.outside(() =>
        time.after(travel, () => {
          if (hasEnded(process) && travel > IN_FLIGHT_MS) return;
          if (time.now() - abortedMs >= AFTER_END_MS) return;
          const answer = receive(key, whole, process, { endedMs: () => abortedMs });
          if (answer === 'lost') back(1, () => fail(socketError()));
          else if (answer) back(delay(), () => respond(answer));
        }),
      );
    };
    time.after(random.integer(1, 40), () => void send());
    return true;
  };

  return {
    held,
    swallowed,
    isProven: ['s3', 'google', 'azure'].includes(dialect),
    /** Whether a file with this content was ever swallowed, under any name. */
    wasSwallowed: (content: string) => [...everSwallowed].some((one) => one.endsWith(` ${content}`)),
    hasSwallowed: (fileName: string, content: string) => everSwallowed.has(`${fileName} ${content}`),
    service,
    // For the servers of whole desks (servers.ts).
    sign,
    remove,
    named,
    fault,
    delay,
    isLost: (): boolean => random.chance(rates.lost),
    isDown: () => isDown,
    storage: { dispatch } as unknown as Dispatcher,
    /** Rejects while the network is down. */
    probe: (): Promise<void> =>
      time.later(20, () => {
        if (isDown) throw refusedError();
      }),
    setRates: (to: Rates): void => {
      rates = to;
    },
    setSignedIn: (to: boolean): void => {
      isSignedIn = to;
    },
    isSignedIn: () => isSignedIn,
    setDown: (to: boolean): void => {
      isDown = to;
    },
  };
};

const attempt = <T>(
  work: () => T,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown } => {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
};
