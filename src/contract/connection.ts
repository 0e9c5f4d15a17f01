/** The connection to a service: its address, who is signed in, and whether it can be reached. */

import { z } from 'zod';
import { call, nothing } from './call.ts';
import { DeskError, type ErrorCode, ErrorData } from './errors.ts';

// Who uploads, pending changes and sessions belong to.

/**
 * A connection and, if the access token names one, a user. `connectionId`: the key under which tokens, batches and offline
 * data of a connection are stored.
 */
export type Owner = { readonly connectionId: string; readonly subject?: string | undefined };

/** Whether both may be the same user: an unknown user may be anyone. */
export const isSameUser = (one: Pick<Owner, 'subject'>, other: Pick<Owner, 'subject'>): boolean =>
  one.subject === undefined || other.subject === undefined || one.subject === other.subject;

/** Whether what belongs to `owner` may be used by `user`. */
export const isOwnedBy = (owner: Owner, user: Owner): boolean =>
  owner.connectionId === user.connectionId && isSameUser(owner, user);

/**
 * Whether `text` is a scope: words of visible ASCII except `"` and `\\`, with one space between (RFC 6749 section 3.3).
 */
export const isScope = (text: string): boolean =>
  text.length <= 2000 && text.split(' ').every((word) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word));

// Which addresses of a service are accepted, in the form, on the command line and in stored settings alike.

/**
 * Whether `url` names this machine: 127.0.0.0/8, ::1 or localhost. The URL parser has already converted other spellings
 * of an IPv4 address (`127.1`, `0x7f000001`) to four decimal numbers.
 */
export const isLoopback = (url: URL): boolean =>
  url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(url.hostname);

/** Parts of an address that it must not have: `/authorize` and `/contractor/…` are appended to it. */
type ExtraPart = 'userinfo' | 'query' | 'fragment';

const extraPart = (url: URL): ExtraPart | undefined => {
  // A password would be stored in clear, shown in the settings and sent to the host the address names.
  if (url.username !== '' || url.password !== '') return 'userinfo';
  // `search` and `hash` are empty for a lone `?` or `#`, which would still swallow what is appended.
  if (url.href.includes('#')) return 'fragment';
  return url.href.includes('?') ? 'query' : undefined;
};

/**
 * Why `address` is not accepted as the address in `field`, or undefined where it is: `input/invalid` (not an http
 * address), `connection/insecure` (http to another machine), `connection/address` (details `part`). The error names the
 * field and never repeats the address, which may hold a password.
 */
export const addressRefusal = (field: string, address: string): DeskError | undefined => {
  // The URL parser drops tabs and line breaks inside an address; printing it would not drop them.
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

// The connection to a service, and who is signed in there.

/** The addresses of the service. `sample` marks the embedded sandbox ("Explore with sample data"). */
export const Connection = z.object({
  baseUrl: z.url({ protocol: /^https?$/ }),
  authUrl: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1),
  /** Sent unchanged with the sign-in (RFC 6749 section 3.3); absent: not sent. */
  scope: z.string().min(1).optional(),
  sample: z.boolean().default(false),
});
export type Connection = z.infer<typeof Connection>;

/** Errors of the addresses of a connection; empty if a service and its sign-in respond. */
export const ConnectionCheck = z.object({ baseUrl: ErrorData.optional(), authUrl: ErrorData.optional() });
export type ConnectionCheck = z.infer<typeof ConnectionCheck>;

/** Who is signed in. `subject` is the `sub` of the access token where that is a JWT. `expiresAtMs`: since 1970. */
export const SessionStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('signed-out'), reason: ErrorData.optional() }),
  z.object({ state: z.literal('waiting'), expiresAtMs: z.number() }),
  z.object({ state: z.literal('signed-in'), subject: z.string().optional() }),
]);
export type SessionStatus = z.infer<typeof SessionStatus>;

/** Whether an error is the reason why there is no connection. Each call that needs a connection rejects with it. */
export const isConnectionRefusal = (code: ErrorCode): boolean =>
  code.startsWith('connection/') || code === 'input/invalid';

// Whether the service and the file storage can be reached now (main/net/host-health.ts). It is the only source for the footer,
// banners, progress and waits in the window, so they cannot contradict each other.

/** Times in ms since 1970. `host`: includes the port. */
const trouble = { host: z.string(), sinceMs: z.number(), reason: ErrorData };

export const Reach = z.discriminatedUnion('state', [
  /** No request has been sent yet. */
  z.object({ state: z.literal('unknown') }),
  /** It responded to the last request, with any status. */
  z.object({ state: z.literal('online') }),
  /** It does not respond. It is probed until it does. */
  z.object({ state: z.literal('unreachable'), ...trouble }),
  /** It requested a pause; no requests are sent until then. */
  z.object({ state: z.literal('held'), ...trouble, untilMs: z.number() }),
]);
export type Reach = Readonly<z.infer<typeof Reach>>;

/** `storage`: the state of the least reachable host that files are sent to. */
export const Reachability = z.object({ service: Reach, storage: Reach });
export type Reachability = Readonly<z.infer<typeof Reachability>>;

export type Side = keyof Reachability;
export type Trouble = Extract<Reach, { readonly state: 'unreachable' | 'held' }>;

/** The initial state, before any request. */
export const NOTHING_ASKED: Reachability = { service: { state: 'unknown' }, storage: { state: 'unknown' } };

/** The reason why one side cannot be used, if there is one. */
export const troubleOf = (reach: Reach): Trouble | undefined =>
  reach.state === 'unreachable' || reach.state === 'held' ? reach : undefined;

/** The trouble that uploads wait for, if any: they need both the service and the storage. */
export const uploadTrouble = ({
  service,
  storage,
}: Reachability): { readonly side: Side; readonly trouble: Trouble } | undefined => {
  const ofService = troubleOf(service);
  if (ofService) return { side: 'service', trouble: ofService };
  const ofStorage = troubleOf(storage);
  return ofStorage && { side: 'storage', trouble: ofStorage };
};

// A proxy that requires a password before it lets anything through.

/** `proxy`: its host and port. `wrong`: it has rejected a password. */
export const WantedPassword = z.object({ proxy: z.string(), wrong: z.boolean() });
export type WantedPassword = Readonly<z.infer<typeof WantedPassword>>;

const EnteredPassword = z.object({
  proxy: z.string().max(300),
  user: z.string().min(1).max(256),
  password: z.string().max(1_024),
});

export const connectionCalls = {
  set: call(Connection.omit({ sample: true }), Connection),
  /** Whether a service and its sign-in respond at these addresses. Sends no token, follows no redirect, takes 8 s at most. */
  check: call(Connection.pick({ baseUrl: true, authUrl: true }), ConnectionCheck),
  /** Starts the embedded sandbox in its own process and connects to it. */
  useSample: call(nothing, Connection),
};

export const sessionCalls = {
  /** Opens the system browser; resolves when the sign-in has ended. */
  signIn: call(nothing, SessionStatus),
  cancelSignIn: call(nothing, z.void()),
  /** Opens the browser again for the sign-in in progress. Errors: `auth/cancelled` when there is none, `auth/browser`. */
  openAgain: call(nothing, z.void()),
  /** Copies the address of that sign-in, which the renderer never sees. Errors: `auth/cancelled`, `app/unsupported`. */
  copyAddress: call(nothing, z.void()),
  /** With `eraseCache` the offline data of this connection is cleared as well. */
  signOut: call(z.object({ eraseCache: z.boolean() }).optional(), z.void()),
};

export const networkCalls = {
  /** Keeps the password in the keychain, and tries everything again that waited for it. */
  enterProxyPassword: call(EnteredPassword, z.void()),
  /** The user does not want to enter it now. */
  dismissProxyPassword: call(nothing, z.void()),
  /** Opens a file picker for a PEM file of authorities. Errors: `app/unsupported`, `network/ca-file`, `settings/managed`. */
  pickCaFile: call(nothing, z.void()),
  forgetCaFile: call(nothing, z.void()),
};
