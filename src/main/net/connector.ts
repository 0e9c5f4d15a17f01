/**
 * Opens the connections of all pools, each by the route to its host. If a certificate is not accepted, the connection
 * ends before a request is sent. No setting changes that.
 */
import { Socket } from 'node:net';
import { type PeerCertificate, type SecureContext, TLSSocket } from 'node:tls';
import { DeskError } from '../../contract/errors.ts';
import { cancellation, onAbort, throwIfCancelled, withDeadline } from '../async/cancel.ts';
import { type Hop, type ProxyServer, proxyName } from './proxy.ts';
import { createProxyAuth } from './proxy-auth.ts';
import { withLogins } from './proxy-passwords.ts';
import type { Routing } from './route.ts';
import { isTlsRefusal } from './translate.ts';
import { LEAST_TLS, type Trust } from './trust.ts';
import { isSocks, openTunnel, type Within } from './tunnel.ts';
import { Agent, buildConnector, type Dispatcher } from './undici.mjs';
import { MOST_ORIGINS } from './urls.ts';

const CONNECT_MS = 10_000;

/**
 * The timeout for each response of a proxy. A proxy may take a long time to reach a host. The timeout also ends a
 * response that arrives byte by byte.
 */
const TUNNEL_MS = 30_000;

/** Set explicitly, so that no variable or option of Node weakens TLS. */
const SECURE = { rejectUnauthorized: true, minVersion: LEAST_TLS } as const;

type ConnectorOptions = {
  readonly routing?: Routing | undefined;
  readonly trust?: Trust | undefined;
  /**
   * Destroys the sockets when it is aborted, including sockets that are still being opened. undici does not end these
   * when it destroys a pool.
   */
  readonly closing?: AbortSignal | undefined;
};

type Options = buildConnector.Options;

const NEVER = new AbortController().signal;

/**
 * Creates a connector that connects over TCP or TLS, through proxies where the route has them. A certificate error also
 * has `CertificateFacts`.
 */
export const createConnector = ({
  routing,
  trust,
  closing = NEVER,
}: ConnectorOptions = {}): buildConnector.connector => {
  const direct = createDirect(trust);
  const open = routing ? createRouted(routing, direct, closing) : (options: Options) => direct(options, closing);
  return (options, callback) => {
    open(options).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
};

/** Creates a function that connects by the route to the host. */
const createRouted = (routing: Routing, direct: Direct, closing: AbortSignal) => {
  const signIn = createProxyAuth(routing);
  const within: Within = (work) =>
    withDeadline(TUNNEL_MS, closing, (signal) => work((to) => direct(to, signal), signal));

  const openThrough = async (proxy: ProxyServer, options: Options): Promise<Socket> => {
    const { hostname, protocol } = options;
    const isSecure = protocol === 'https:';
    const port = Number(options.port) || (isSecure ? 443 : 80);
    const target = { host: hostname.replace(/^\[|\]$/g, ''), port, origin: originOf(options) };
    const open = (server: ProxyServer) => openTunnel(server, target, within, signIn);
    const httpSocket = isSocks(proxy)
      ? await withLogins(routing, proxy, true, (login) => open({ ...proxy, ...(login && { login }) }))
      : await open(proxy);
    return isSecure ? direct({ ...options, httpSocket }, closing) : httpSocket;
  };

  return async (options: Options): Promise<Socket> => {
    const { hops } = await routing.routeOf(originOf(options));
    let unreached: unknown;
    for (const hop of hops) {
      try {
        return await (hop === 'direct' ? direct(options, closing) : openThrough(hop, options));
      } catch (error) {
        if (closing.aborted || !isUnreached(hop, error)) throw error;
        if (hop !== 'direct') routing.unreachable(proxyName(hop));
        unreached = moreTelling(unreached, hop, error);
      }
    }
    throw unreached;
  };
};

/**
 * Returns the error to throw. The error of the first proxy is thrown, even if a direct hop failed before: where a proxy
 * is required, direct hops always fail.
 */
const moreTelling = (before: unknown, hop: Hop, error: unknown): unknown =>
  before === undefined || (hop !== 'direct' && !(before instanceof DeskError)) ? error : before;

const originOf = ({ protocol, host = '' }: Options): string => `${protocol}//${host}`;

/** Whether to try the next hop, because the proxy of `hop` or, if `hop` is direct, the host was not reached. */
const isUnreached = (hop: Hop, error: unknown): boolean =>
  hop === 'direct'
    ? !(error instanceof DeskError) && !(error instanceof Error && 'validTo' in error) && !isTlsRefusal(error)
    : error instanceof DeskError && error.code === 'network/proxy-unreachable';

/** Connects to the host in `options`, a server or a proxy, directly, or over the tunnel `options.httpSocket`. */
type Direct = (options: Options, within: AbortSignal) => Promise<Socket>;

const createDirect = (trust: Trust | undefined): Direct => {
  const common = { timeout: CONNECT_MS, allowH2: false, ...SECURE };
  const plain = buildConnector(common);
  let secure: { readonly context: SecureContext; readonly connect: buildConnector.connector } | undefined;
  return async (options, within) => {
    if (options.protocol !== 'https:' || trust === undefined) return connectOnce(plain, options, within);
    const context = await trust();
    if (secure?.context !== context)
      secure = { context, connect: buildConnector({ ...common, secureContext: context }) };
    return connectOnce(secure.connect, options, within);
  };
};

/**
 * Opens a socket and destroys it when `within` is aborted, even after it was connected, because a proxy may still be
 * opening a tunnel over it.
 */
const connectOnce = (connect: buildConnector.connector, options: Options, within: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    throwIfCancelled(within);
    let facts: CertificateFacts | undefined;
    // undici returns the socket, although its types do not declare that.
    const socket: unknown = connect(options, (...[error, connected]) => {
      if (error) reject(facts === undefined ? error : Object.assign(error, facts));
      else resolve(connected);
    });
    if (!(socket instanceof Socket)) return;
    const stop = onAbort(within, () => socket.destroy(cancellation(within)));
    socket.once('close', stop);
    // Runs before Node's own listener, which checks the certificate and closes the connection if the check fails.
    if (!(socket instanceof TLSSocket)) return;
    socket.prependListener('secure', () => {
      facts = factsOf(socket.getPeerCertificate());
    });
  });

/** Facts about the certificate that the server presented. Days have the form 2026-01-31. */
type CertificateFacts = { readonly issuer?: string; readonly validFrom: string; readonly validTo: string };

const factsOf = ({ issuer, valid_from, valid_to }: PeerCertificate): CertificateFacts => {
  const name = nameIn(issuer);
  return { ...(name !== undefined && { issuer: name }), validFrom: dayOf(valid_from), validTo: dayOf(valid_to) };
};

const dayOf = (written: string): string => {
  const date = new Date(written);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
};

/**
 * Returns the organisation of the authority, or else its common name, on one line of at most 100 characters; undefined
 * without such a name.
 */
const nameIn = (issuer: PeerCertificate['issuer'] | undefined): string | undefined => {
  const name = [issuer?.O ?? issuer?.CN].flat().join(', ');
  return (
    name
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, 100) || undefined
  );
};

// The app's connection pools. There are several, so that a user's call never waits behind thousands of uploads. All
// pools keep connections alive, and send one HTTP/1.1 request at a time on each. They do not follow redirects, because
// a redirect could send a token elsewhere (undici follows redirects only with an interceptor).

const common = (options?: ConnectorOptions) => ({
  allowH2: false,
  pipelining: 1,
  connect: createConnector(options),
});

const apiTimeouts = { headersTimeout: 60_000, bodyTimeout: 60_000 };

/** Creates the pool for requests to the service and the token endpoint. */
export const createApiAgent = (options?: ConnectorOptions): Agent =>
  new Agent({ ...common(options), ...apiTimeouts, connections: 16 });

/**
 * Creates the pool for the service calls of uploads. The upload engine limits how many of these calls run concurrently.
 */
export const createSigningAgent = (options?: ConnectorOptions): Agent =>
  new Agent({ ...common(options), ...apiTimeouts });

/**
 * Creates the pool for signed upload URLs. The upload engine limits how many transfers run concurrently, and ends those
 * that have stalled (uploads/storage/put-file.ts).
 */
export const createStorageAgent = (options?: ConnectorOptions): Agent =>
  new Agent({ ...common(options), headersTimeout: 0, bodyTimeout: 0 });

/**
 * Creates the pool for requests that measure the delay of the line (time-round-trip.ts). Files on the same connections
 * would add to the measured time, so this pool transfers none.
 */
export const createProbeAgent = (options?: ConnectorOptions): Agent =>
  new Agent({ ...common(options), connections: 1 });

/**
 * Creates an agent whose pool can be replaced. `create` makes each pool; the first one is made immediately. The pool is
 * also replaced when it would have more than `MOST_ORIGINS`, so that a service that signs each file for another host
 * does not use up the process's sockets: each origin can keep a connection open for ten minutes after its last request.
 * `dispatcher` stays the same object.
 */
export const createRenewableAgent = (create: () => Agent) => {
  let present = create();
  const all = new Set([present]);
  const origins = new Set<string>();
  const renew = (): void => {
    const before = present;
    present = create();
    all.add(present);
    origins.clear();
    before.close().then(
      () => all.delete(before),
      () => {},
    );
  };
  const toPresent = (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean => {
    if (origins.add(String(options.origin)).size > MOST_ORIGINS) renew();
    return present.dispatch(options, handler);
  };
  return {
    dispatcher: present.compose(() => toPresent),
    renew,
    destroy: async (): Promise<void> => {
      await Promise.all([...all].map((agent) => agent.destroy()));
    },
  };
};
