/** The connection to a service: its address, who is signed in, and whether it can be reached. */

import { z } from 'zod';
import { call, nothing } from './call.ts';
import { DeskError, type ErrorCode, ErrorData } from './errors.ts';

/**
 * A connection and a user. `connectionId`: the key under which tokens, batches and offline data of the connection are
 * stored. `subject`: absent if the access token does not name the user.
 */
export type Owner = { readonly connectionId: string; readonly subject?: string | undefined };

/** Whether `one` and `other` can be the same user. An unknown user can be anyone. */
export const isSameUser = (one: Pick<Owner, 'subject'>, other: Pick<Owner, 'subject'>): boolean =>
  one.subject === undefined || other.subject === undefined || one.subject === other.subject;

/** Whether `user` is allowed to use the data of `owner`. */
export const isOwnedBy = (owner: Owner, user: Owner): boolean =>
  owner.connectionId === user.connectionId && isSameUser(owner, user);

/**
 * Whether `text` is a scope of at most 2,000 characters: words of visible ASCII without `"` and `\`, with one space
 * between them (RFC 6749 section 3.3).
 */
export const isScope = (text: string): boolean =>
  text.length <= 2000 && text.split(' ').every((word) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word));

/**
 * Whether `url` names this machine: 127.0.0.0/8, ::1 or localhost. The URL parser has already converted other spellings
 * of an IPv4 address (`127.1`, `0x7f000001`) to four decimal numbers.
 */
export const isLoopback = (url: URL): boolean =>
  url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(url.hostname);

type ExtraPart = 'userinfo' | 'query' | 'fragment';

const extraPart = (url: URL): ExtraPart | undefined => {
  // A password in the address would be stored in plain text and shown in the settings.
  if (url.username !== '' || url.password !== '') return 'userinfo';
  // Searches `href`, because `search` and `hash` are empty for a lone `?` or `#`. A path appended to such an address
  // would become a query or a fragment.
  if (url.href.includes('#')) return 'fragment';
  return url.href.includes('?') ? 'query' : undefined;
};

/**
 * Returns the error if `address` is rejected as the address in `field`; undefined if it is accepted. `input/invalid`:
 * not an http or https address; `connection/insecure`: http to another machine; `connection/address`: has an
 * `ExtraPart` (details `part`). The error does not repeat the whole address, which can contain a password.
 */
export const addressRefusal = (field: string, address: string): DeskError | undefined => {
  // The URL parser ignores tabs and line breaks in an address, but they would remain where the address is printed.
  const url = URL.canParse(address) && !/[\s\p{Cc}]/u.test(address) ? new URL(address) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) {
    return new DeskError('input/invalid', `${field} is not an http or https address`, { details: { field } });
  }
  const part = extraPart(url);
  if (part !== undefined) {
    return new DeskError('connection/address', `${field} contains a part that is not allowed`, {
      details: { field, part },
    });
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    return new DeskError('connection/insecure', `${field} is not https`, {
      details: { field, host: url.host },
    });
  }
  return undefined;
};

export const Addresses = z.object({
  baseUrl: z.url({ protocol: /^https?$/ }),
  authUrl: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1),
  /** The scope to request (RFC 6749 section 3.3), sent unchanged; absent if no scope is sent. */
  scope: z.string().refine(isScope, 'is not a scope').optional(),
});
export type Addresses = z.infer<typeof Addresses>;

/** The service in use. `sample`: it is the embedded sandbox; `former`: the service that `leaveSample` returns to. */
export const Connection = Addresses.extend({ sample: z.boolean().default(false), former: Addresses.optional() });
export type Connection = z.infer<typeof Connection>;

/** The error of each address that does not respond as expected. */
export const ConnectionCheck = z.object({ baseUrl: ErrorData.optional(), authUrl: ErrorData.optional() });
export type ConnectionCheck = z.infer<typeof ConnectionCheck>;

/**
 * Who is signed in. `reason`: why the session has ended or the sign-in has failed. `waiting`: a sign-in waits for the
 * user, until `expiresAtMs` (ms since 1970). `subject`: the `sub` of the access token, if that is a JWT with one.
 */
export const SessionStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('signed-out'), reason: ErrorData.optional() }),
  z.object({ state: z.literal('waiting'), expiresAtMs: z.number() }),
  z.object({ state: z.literal('signed-in'), subject: z.string().optional() }),
]);
export type SessionStatus = z.infer<typeof SessionStatus>;

/** Whether an error with this code can be the reason why there is no connection. */
export const isConnectionRefusal = (code: ErrorCode): boolean =>
  code.startsWith('connection/') || code === 'input/invalid';

/** Why a host cannot be used, and since when (ms since 1970). `host`: in the form of `URL.host`. */
const trouble = { host: z.string(), sinceMs: z.number(), reason: ErrorData };

export const Reach = z.discriminatedUnion('state', [
  /** No request has shown yet whether the host responds, for example after the start. */
  z.object({ state: z.literal('unknown') }),
  z.object({ state: z.literal('online') }),
  z.object({ state: z.literal('unreachable'), ...trouble }),
  /** The host requested a pause: no requests are sent to it until `untilMs`. */
  z.object({ state: z.literal('held'), ...trouble, untilMs: z.number() }),
]);
export type Reach = Readonly<z.infer<typeof Reach>>;

/** Whether the service and the storage can be reached. `storage` has the state of its least reachable host. */
export const Reachability = z.object({ service: Reach, storage: Reach });
export type Reachability = Readonly<z.infer<typeof Reachability>>;

export type Side = keyof Reachability;
export type Trouble = Extract<Reach, { readonly state: 'unreachable' | 'held' }>;

export const NOTHING_ASKED: Reachability = { service: { state: 'unknown' }, storage: { state: 'unknown' } };

export const troubleOf = (reach: Reach): Trouble | undefined =>
  reach.state === 'unreachable' || reach.state === 'held' ? reach : undefined;

/**
 * Returns the trouble that holds up uploads: that of the service or, without one, that of the storage; undefined if
 * there is none.
 */
export const uploadTrouble = ({
  service,
  storage,
}: Reachability): { readonly side: Side; readonly trouble: Trouble } | undefined => {
  const ofService = troubleOf(service);
  if (ofService) return { side: 'service', trouble: ofService };
  const ofStorage = troubleOf(storage);
  return ofStorage && { side: 'storage', trouble: ofStorage };
};

/**
 * A request for the password of a proxy. `proxy`: its host and port, after `https://` if it is reached over TLS;
 * `wrong`: whether the proxy has rejected a password; `inClear`: whether the proxy would receive it unencrypted.
 */
export const WantedPassword = z.object({ proxy: z.string(), wrong: z.boolean(), inClear: z.boolean() });
export type WantedPassword = Readonly<z.infer<typeof WantedPassword>>;

/** `inClear`: that of the request (`WantedPassword`). */
const EnteredPassword = z.object({
  proxy: z.string().max(300),
  inClear: z.boolean(),
  user: z.string().min(1).max(256),
  password: z.string().max(1_024),
});

export const connectionCalls = {
  set: call(Addresses, z.void()),
  /** Checks whether a service and its sign-in respond. Sends no token, and follows no redirect. Timeout: 8 s. */
  check: call(Connection.pick({ baseUrl: true, authUrl: true }), ConnectionCheck),
  /**
   * Connects to the embedded sandbox, which is started if necessary. Errors: `connection/sample-off`,
   * `service/unreachable` if it does not start, `data/unwritable`.
   */
  useSample: call(nothing, z.void()),
  /**
   * Returns to the former service. If the policy, the options or the environment set a field of the connection, that
   * value is used instead. Errors: `connection/missing` if a required field has no value, `data/unwritable`.
   */
  leaveSample: call(nothing, z.void()),
};

export const sessionCalls = {
  /**
   * Opens the system browser, and resolves once the user has signed in. Errors: `auth/…` (`auth/cancelled`,
   * `auth/timeout`), `keychain/unavailable`, `service/…`, `network/…`, `data/unwritable`.
   */
  signIn: call(nothing, z.void()),
  cancelSignIn: call(nothing, z.void()),
  /** Opens the browser again for the waiting sign-in. Errors: `auth/cancelled` if none waits, `auth/browser`. */
  openAgain: call(nothing, z.void()),
  /**
   * Copies the address of the waiting sign-in. The renderer never sees this address. Errors: `auth/cancelled` if none
   * waits, `app/unsupported`.
   */
  copyAddress: call(nothing, z.void()),
  /** Signs out. With `eraseCache`, or if the settings require it, also clears the offline data. */
  signOut: call(z.object({ eraseCache: z.boolean() }).optional(), z.void()),
};

export const networkCalls = {
  /**
   * Stores the password in the keychain; if that fails, the password stays in memory until the app ends. Resumes the
   * uploads that were paused because the password was missing or wrong.
   */
  enterProxyPassword: call(EnteredPassword, z.void()),
  /** Hides the request for a proxy password. It may appear again later. */
  dismissProxyPassword: call(nothing, z.void()),
  /** Opens a file picker for a PEM file. Errors: `app/unsupported`, `network/ca-file`, `settings/managed`. */
  pickCaFile: call(nothing, z.void()),
  forgetCaFile: call(nothing, z.void()),
};
