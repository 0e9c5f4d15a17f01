/**
 * The client of the contractor inspection service: one function per endpoint, in the order of the API documentation.
 * Each call has a deadline, waits at the gate and sends the bearer token. After a 401 it is repeated once, and it is
 * retried where a retry can help. The response is parsed within limits.
 */
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { DeskError, type Retry } from '../../contract/errors.ts';
import {
  AssignmentFile,
  AssignmentFiles,
  AssignmentId,
  AssignmentList,
  AssignmentSummary,
  FileName,
  InspectionPoint,
  isPathSegment,
  type Listing,
  ListOf,
  OrderableEvent,
  PlanAfterValue,
  ProtocolPage,
  ProtocolSummary,
  UploadSignature,
} from '../../contract/resources.ts';
import { throwIfCancelled, withDeadline } from '../async/cancel.ts';
import { steadyNow } from '../async/clock.ts';
import { REQUEST_RETRY, type RetryOptions, withRetry } from '../async/retry.ts';
import {
  type BodyReader,
  exchangeInto,
  mapped,
  startOfText,
  tooLarge,
  wholeText,
  withoutMark,
} from '../net/exchange.ts';
import type { Gate } from '../net/gate.ts';
import { isOfGateway, isOutage, jsonIn, mayHaveBeenProcessed, translateStatus } from '../net/translate.ts';
import { assertSecure } from '../net/urls.ts';
import { createJsonList } from './json-list.ts';

type ServiceOptions = {
  /** {base_url} of the API documentation. It can have a path, with or without a slash at its end. */
  readonly baseUrl: string;
  readonly dispatcher: Dispatcher;
  readonly tokens: TokenSource;
  readonly gate: Gate;
  readonly onReach?: (seen: ReachSeen) => void;
  /**
   * Overrides of `REQUEST_RETRY`. `maxRetryAfterMs`: the maximum wait that the service may request, 60 s by default.
   */
  readonly retry?: Partial<Omit<RetryOptions, 'signal' | 'when' | 'leftMs'>>;
  readonly timeLimits?: TimeLimits | undefined;
  /**
   * Whether a user waits for the calls. The gate then does not pace them, but still holds them back during a pause.
   * Default: false.
   */
  readonly isUrgent?: boolean;
  readonly now?: () => number;
};

export type ReachSeen =
  | { readonly type: 'responded' }
  /** A call failed because of an outage. A timeout is left out if another response began after its request was sent. */
  | { readonly type: 'lost'; readonly error: DeskError }
  /** The service, or the server that issues tokens, requested a pause, and calls have to wait. */
  | { readonly type: 'held'; readonly reason: DeskError };

export type TokenSource = {
  /** Returns the token of the present user, which may have expired; undefined if nobody is signed in. */
  readonly present?: () => string | undefined;
  readonly accessToken: (options?: {
    readonly stale?: string;
    readonly former?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<string>;
};

export type TimeLimits = {
  /** The limit for one request and its whole response. A slow trickle of bytes does not extend it. */
  readonly exchangeMs: number;
  /** The limit for the whole call: its attempts, the waits between them, and the waits at the gate and for a token. */
  readonly callMs: number;
};

const SMALL_RESPONSE: TimeLimits = { exchangeMs: 30_000, callMs: 90_000 };

/** The time limits for a list, long enough for 24 MiB at 1.7 Mbit/s. */
export const LIST_RESPONSE: TimeLimits = { exchangeMs: 120_000, callMs: 180_000 };

type Signal = { readonly signal?: AbortSignal | undefined };

export type ServiceClient = ReturnType<typeof createServiceClient>;

const protocols = ['contractor', 'compiled-inspection-protocols'];
const assignments = ['contractor', 'assignments'];

/**
 * Creates a client of the service at `baseUrl`. Its functions reject with a `DeskError`: `input/invalid` (before a
 * request is sent), `auth/…`, `service/…`, `network/…` or `app/cancelled`.
 * @throws DeskError `connection/insecure`, `input/invalid`
 */
export const createServiceClient = (options: ServiceOptions) => {
  const call = createTransport(options);
  const read = <T>(path: readonly string[], response: ResponseReader<T>, { signal }: Signal = {}, query = {}) =>
    call({ method: 'GET', path, query, response, timeLimits: LIST_RESPONSE, signal });
  const pages = createPages((query, options) => read([...protocols, 'contractor'], protocolPage, options, query));

  return {
    /**
     * 1. List protocols for contractor. `Page`: the `CurrentPage` that the response is to have; the first page by
     * default. The deprecated `cursor` is not sent.
     */
    listProtocols: (query: PageQuery = {}, options?: Signal) => pages(query, options),

    listAssignments: (InspectionProtocolId: string, options?: Signal) =>
      read([...protocols, InspectionProtocolId, 'assignments'], assignmentList, options),

    listInspectionPoints: (InspectionProtocolId: string, options?: Signal) =>
      read([...protocols, InspectionProtocolId, 'inspection-points'], arrayOf(InspectionPoint), options),

    listProjectAssignments: ({ County }: { readonly County?: string | undefined } = {}, options?: Signal) =>
      read([...assignments, 'projects'], assignmentList, options, { County }),

    /**
     * 5. Sign assignment file upload. Each signature has a new Key, so a call is retried only if the service cannot
     * have processed it. The `Url` of the result is a credential. The caller has to check that it is a secure address.
     */
    signUpload: async (
      input: { readonly AssignmentId: string; readonly FileName: string },
      { signal }: Signal = {},
    ): Promise<UploadSignature> =>
      call({
        method: 'POST',
        path: [...assignments, checked(AssignmentId, input.AssignmentId, 'AssignmentId'), 'files', 'sign-upload'],
        body: { FileName: checked(FileName, input.FileName, 'FileName') },
        response: exactly(UploadSignature),
        timeLimits: SMALL_RESPONSE,
        signal,
      }),

    /**
     * 6. Remove assignment file. Resolves to the files that remain. Resolves to undefined if the service does not list
     * them: after a 2xx without a body, or after a 404 if an earlier attempt may have removed the file. Any other 404
     * rejects with `service/not-found`.
     */
    removeFile: async (
      input: { readonly AssignmentId: string; readonly Key: string },
      { signal }: Signal = {},
    ): Promise<AssignmentFiles | undefined> => {
      let isUnclear = false;
      return call({
        method: 'DELETE',
        path: [...assignments, checked(AssignmentId, input.AssignmentId, 'AssignmentId'), 'files'],
        body: { Key: input.Key },
        response: remainingFiles,
        timeLimits: LIST_RESPONSE,
        signal,
        recover: (error) => {
          if (!(error instanceof DeskError)) throw error;
          if (isUnclear && error.code === 'service/not-found') return undefined;
          isUnclear ||= mayHaveBeenProcessed(error);
          throw error;
        },
      });
    },

    /** 7. Update assignment plan after. Without `PlanAfter`, sends an empty object, which clears the value. */
    updatePlanAfter: async (
      { PlanAfter, ...of }: { readonly AssignmentId: string; readonly PlanAfter?: number | undefined },
      { signal }: Signal = {},
    ): Promise<PlanAfterValue> =>
      call({
        method: 'PUT',
        path: [...assignments, checked(AssignmentId, of.AssignmentId, 'AssignmentId'), 'plan-after'],
        body: { PlanAfter },
        response: exactly(planAfterOf(of.AssignmentId, PlanAfter === undefined ? Cleared : PlanAfterValue)),
        timeLimits: SMALL_RESPONSE,
        signal,
      }),

    listOrderableEvents: (options?: Signal) =>
      read(['contractor', 'orderable-events'], arrayOf(OrderableEvent), options),
  };
};

type PageQuery = { readonly Page?: number | undefined; readonly Query?: string | undefined };

/**
 * Creates a function that reads the page whose `CurrentPage` is `Page`. The API documentation does not say from which
 * number the parameter `Page` and the field `CurrentPage` count. If the response is the page before or after the wanted
 * one, the parameter and the field may count from different numbers. The function then requests the page again with a
 * corrected number, and remembers the correction if the response is the wanted page.
 */
const createPages = (read: (query: PageQuery, options?: Signal) => Promise<Listing<ProtocolPage>>): typeof read => {
  let difference = 0;
  return async ({ Page, Query }, options) => {
    if (Page === undefined) return read({ Query }, options);
    const asked = Page - difference;
    const page = await read({ Page: asked, Query }, options);
    const { CurrentPage } = page.value;
    if (Math.abs(CurrentPage - Page) !== 1) return page;
    // The difference may have another reason: some services return their last page for every higher page number. They
    // may refuse the corrected number.
    const other = await read({ Page: Page - (CurrentPage - asked), Query }, options).catch((error: unknown) => {
      if (error instanceof DeskError && error.retry === 'never' && error.code.startsWith('service/')) return page;
      throw error;
    });
    if (other.value.CurrentPage !== Page) return page;
    difference = CurrentPage - asked;
    return other;
  };
};

/** The response to a request that clears the value. If it has no number or no body, the value is 0. */
const Cleared = z.object({ PlanAfter: z.number().nullish() }).optional();

/**
 * Returns the schema of the response to a plan-after update. The result has the id of the request, because values
 * are stored and found by the exact text of their id, and the service may change the case of its letters.
 */
const planAfterOf = (
  AssignmentId: string,
  response: z.ZodType<{ readonly PlanAfter?: number | null | undefined } | undefined>,
): z.ZodType<PlanAfterValue> => response.transform((value) => ({ AssignmentId, PlanAfter: value?.PlanAfter ?? 0 }));

const checked = (schema: z.ZodType<string>, value: string, field: string): string => {
  if (schema.safeParse(value).success) return value;
  throw new DeskError('input/invalid', `${field} is not valid`, { details: { field } });
};

type ServiceCall<T> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path segments below {base_url}; each is encoded. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly response: ResponseReader<T>;
  readonly timeLimits: TimeLimits;
  readonly signal?: AbortSignal | undefined;
  /** Called with the error of each attempt. Throws an error, or returns the result of the call. */
  readonly recover?: (error: unknown) => T;
};

type Transport = <T>(call: ServiceCall<T>) => Promise<T>;

/**
 * The default of the maximum wait at the gate, and of the maximum wait that a server can request before a retry. If the
 * wait would be longer, the call fails with `service/busy`, and its caller decides whether to wait.
 */
const maxRetryAfterMs = 60_000;

/**
 * Creates the function that makes calls to addresses below `baseUrl`. The API documentation does not say how to send
 * the token; this client sends it as `Authorization: Bearer` (RFC 6750).
 * @throws DeskError `connection/insecure`, `input/invalid`; a call rejects with `input/invalid`, `auth/…`, `service/…`
 * (`service/timeout` after its `callMs`), `network/…` or `app/cancelled`
 */
const createTransport = (options: ServiceOptions): Transport => {
  const { dispatcher, tokens, gate, isUrgent = false, onReach = () => {}, now = steadyNow } = options;
  const base = assertSecure(options.baseUrl);
  const retry = { ...REQUEST_RETRY, maxRetryAfterMs, ...options.retry };
  /**
   * The number of responses that have begun. If it grows during a call that times out, the service is slow, not
   * unreachable.
   */
  let responses = 0;
  /**
   * The refusals of token requests that the gate has counted. Calls that wait for the same token share a refusal, which
   * counts once.
   */
  const counted = new WeakSet<DeskError>();

  return async <T>(call: ServiceCall<T>): Promise<T> => {
    const { timeLimits = call.timeLimits } = options;
    const url = addressOf(base, call);
    const endMs = now() + timeLimits.callMs;
    const leftMs = (): number => endMs - now();
    /** The token at the start of the call. An attempt fails if another user has signed in since then. */
    let former = tokens.present?.();
    // Fails immediately if nobody is signed in. If the call waited, it would be made as the user who signs in next.
    if (tokens.present && former === undefined) former = await tokens.accessToken({ signal: call.signal });
    let responsesBefore: number | undefined;

    /** Tells the gate that the service, or the server that issues tokens, is busy. Returns the error for the call. */
    const tooBusy = (refusal: DeskError, calledMs: number): DeskError => {
      const reason = gate.hold(url.host, refusal.retryAfterMs, calledMs);
      if (reason && !reason.details.paced) onReach({ type: 'held', reason });
      return isUrgent ? refusal : (reason ?? refusal);
    };

    const send = async (
      asked: { readonly stale?: string; readonly former?: string | undefined },
      signal: AbortSignal,
    ) => {
      const calledMs = await gate.pass(url.host, {
        signal,
        // A repeat after a 401 does not wait for its turn. Otherwise a call with a short maximum wait would fail before
        // it gets a new token.
        isUrgent: isUrgent || asked.stale !== undefined,
        maxWaitMs: Math.min(retry.maxRetryAfterMs, leftMs()),
      });
      // The token is requested after the gate, because renewing an expired token costs a request.
      const token = await tokens.accessToken({ ...asked, signal }).catch((error: unknown) => {
        if (!(error instanceof DeskError) || error.code !== 'service/busy' || counted.has(error)) throw error;
        counted.add(error);
        throw tooBusy(error, calledMs);
      });
      responsesBefore = responses;
      const { method, body } = call;
      const type = body && { 'content-type': 'application/json' };
      const headers = { accept: 'application/json', authorization: `Bearer ${token}`, ...type };
      const timeoutMs = timeLimits.exchangeMs;
      const request = { method, url, headers, body: body && JSON.stringify(body), signal, timeoutMs };
      const response = await exchangeInto(dispatcher, request, (status) => {
        if (!isOfGateway(status)) {
          responses += 1;
          onReach({ type: 'responded' });
        }
        return isSuccess(status) ? accepted(call) : refused(token);
      });
      return { ...response, token, calledMs };
    };

    const attempt = async (signal: AbortSignal): Promise<T> => {
      throwIfCancelled(signal);
      responsesBefore = undefined;
      let response = await send({ former }, signal);
      former ??= response.token;
      if (response.status === 401) {
        response = await send({ stale: response.token }, signal);
        if (response.status === 401) throw new DeskError('auth/expired', 'the service refuses a fresh token');
      }
      const { body, calledMs } = response;
      const refusal = 'text' in body ? translateStatus({ ...response, text: body.text }, url) : undefined;
      if (refusal?.code === 'service/busy') throw tooBusy(refusal, calledMs);
      if (refusal?.code !== 'service/failed' && !isOutage(refusal)) gate.responded(url.host, calledMs);
      if ('value' in body) return body.value;
      throw refusal;
    };

    const when = (error: DeskError): boolean => isIdempotent(call) || !mayHaveBeenProcessed(error);
    try {
      return await withDeadline(timeLimits.callMs, call.signal, (signal) =>
        withRetry(() => attempt(signal).catch(call.recover), { ...retry, signal, leftMs, when }),
      );
    } catch (error) {
      const isSlow =
        error instanceof DeskError && error.code === 'service/timeout' && responses > (responsesBefore ?? responses);
      if (error instanceof DeskError && isOutage(error) && !isSlow) onReach({ type: 'lost', error });
      throw error;
    }
  };
};

/** How many bytes of an error's body are read: enough for its message. */
const REFUSAL_BYTES = 64 * 1024;

/** The API documentation lists no success codes, so every 2xx is a success. */
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

type Body<T> = BodyReader<{ readonly value: T } | { readonly text: string }>;

/**
 * Whether a repetition of the call is harmless (RFC 9110 section 9.2.2). If not, it is retried only if the service
 * cannot have processed it.
 */
const isIdempotent = ({ method }: Pick<ServiceCall<unknown>, 'method'>): boolean => method !== 'POST';

const accepted = <T>(call: ServiceCall<T>): Body<T> =>
  mapped(call.response(isIdempotent(call) ? 'later' : 'never'), (value) => ({ value }));

const refused = (token: string): Body<never> => {
  // The service may repeat the token in its message, and a token can look like any word. JSON can escape any character.
  const cut = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? value.replaceAll(token, '[cut]') : value;
  return mapped(startOfText(REFUSAL_BYTES), (text) => ({ text: JSON.stringify(jsonIn(text, cut)) }));
};

const addressOf = (base: URL, { path, query = {} }: ServiceCall<unknown>): URL => {
  const url = new URL(base);
  if (!path.every(isPathSegment)) throw new DeskError('input/invalid', 'the id cannot be used in a path');
  url.pathname = [base.pathname.replace(/\/+$/, ''), ...path.map(encodeURIComponent)].join('/');
  url.search = '';
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  return url;
};

// Responses are parsed with the contract's schemas. The limits are far above the size of real responses.

/**
 * Creates the reader of one response. The reader throws `service/too-large`, or `service/malformed` with this `retry`.
 * For an invalid field, `service/malformed` has the field's path as the detail `where`, but never its value.
 */
type ResponseReader<T> = (retry: Retry) => BodyReader<T>;

const SMALL_BYTES = 64 * 1024;

/**
 * The limits of a list. Only the list of protocols has pages, so any other list can have tens of thousands of items.
 */
const LIST_LIMITS = { maxBytes: 24 * 1024 * 1024, maxItems: 50_000, maxPartBytes: 512 * 1024 };

/** Creates the reader of one object. An empty response, such as a 204, is passed to the schema as undefined. */
const exactly =
  <T>(schema: z.ZodType<T>): ResponseReader<T> =>
  (retry) =>
    mapped(wholeText(SMALL_BYTES), (text) => inShape(retry, () => schema.parse(json(text))));

/** Creates the reader of an array without an object around it, such as the inspection points of a protocol. */
const arrayOf = <T>(item: z.ZodType<T>): ResponseReader<Listing<readonly T[]>> =>
  listOf({ item, whole: (frame, items) => [...ListOf(z.never()).parse(frame), ...items] });

type ListShape<I, T> = {
  readonly item: z.ZodType<I>;
  readonly field?: string;
  /** Creates the result. `frame`: the response with an empty list; undefined for an empty response. */
  readonly whole: (frame: unknown, items: I[]) => T;
};

/**
 * Creates the reader of a list, alone or in a field. Items are parsed one by one as they are received. Items that do
 * not match the schema are counted and left out. The fields around the list are parsed at the end.
 */
const listOf =
  <I, T>({ item, field, whole }: ListShape<I, T>): ResponseReader<Listing<T>> =>
  (retry) => {
    const { maxBytes, maxItems, maxPartBytes } = LIST_LIMITS;
    const items: I[] = [];
    let unreadable = 0;
    let sizeBytes = 0;
    const list = createJsonList({
      field,
      maxPartBytes,
      onItem: (text) => {
        const parsed = item.safeParse(JSON.parse(text));
        if (parsed.success) items.push(parsed.data);
        else unreadable += 1;
        if (items.length + unreadable > maxItems) throw tooLarge({ maxItems });
      },
    });
    return {
      take: (part) => {
        sizeBytes += part.length;
        if (sizeBytes > maxBytes) throw tooLarge({ maxBytes });
        inShape(retry, () => list.take(part));
        return true;
      },
      end: () => inShape(retry, () => ({ value: whole(json(list.frame()), items), unreadable })),
    };
  };

/** Creates the reader of a list. The reader fails if an item does not match the schema. */
const everyOf =
  <I, T>(shape: ListShape<I, T>): ResponseReader<T> =>
  (retry) =>
    mapped(listOf(shape)(retry), ({ value, unreadable }) => {
      if (unreadable > 0) throw malformed(retry, shape.field ?? '');
      return value;
    });

const json = (text: string): unknown => (text === '' ? undefined : JSON.parse(withoutMark(text)));

const inShape = <T>(retry: Retry, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw malformed(retry, error instanceof z.ZodError ? (error.issues[0]?.path.join('.') ?? '') : '');
  }
};

const malformed = (retry: Retry, where: string): DeskError =>
  new DeskError('service/malformed', 'the answer does not match the interface', {
    retry,
    details: where === '' ? {} : { where },
  });

const protocolPage = listOf({
  item: ProtocolSummary,
  field: 'Items',
  whole: (frame, Items): ProtocolPage => ({ ...ProtocolPage.parse(frame), Items }),
});

const assignmentList = listOf({
  item: AssignmentSummary,
  field: 'Items',
  whole: (frame, Items): AssignmentList => ({ ...AssignmentList.parse(frame), Items }),
});

/** Some services do not list the remaining files, or write `null` if there are none. */
const Remaining = AssignmentFiles.extend({ Files: AssignmentFiles.shape.Files.nullish() }).optional();

const remainingFiles = everyOf({
  item: AssignmentFile,
  field: 'Files',
  whole: (frame, Files): AssignmentFiles | undefined => {
    const files = Remaining.parse(frame);
    return files?.Files ? { ...files, Files } : undefined;
  },
});
