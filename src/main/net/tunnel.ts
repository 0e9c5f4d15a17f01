/** Opens connections to a host through a proxy: by CONNECT (RFC 9110 section 9.3.6) or by SOCKS (RFC 1928). */
import type { Socket } from 'node:net';
import { DeskError, type ErrorDetails } from '../../contract/errors.ts';
import { onAbort, throwIfCancelled } from '../async/cancel.ts';
import { USER_AGENT } from './exchange.ts';
import { authority, type ProxyServer, proxyName } from './proxy.ts';
import { translateNetworkError } from './translate.ts';
import { type buildConnector, Client } from './undici.mjs';

/** The timeout for a response of a proxy. A proxy may take a long time to reach a host. */
const ANSWER_MS = 30_000;

export type Target = { readonly host: string; readonly port: number; readonly origin: string };

type Connect = (options: buildConnector.Options) => Promise<Socket>;

/**
 * Runs `work` with a `signal` that is aborted after the time that a proxy has for one response. The work has to stop
 * when `signal` is aborted.
 */
export type Within = <T>(work: (connect: Connect, signal: AbortSignal) => Promise<T>) => Promise<T>;

/** A response to CONNECT. `socket`: the connection, which still contains the body of the response. */
export type ConnectResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket: Socket;
};

/** Sends CONNECT with this Proxy-Authorization, on the connection of `previous` or on a new one. */
export type AskProxy = (authorization?: string, previous?: ConnectResponse) => Promise<ConnectResponse>;

/**
 * Opens a tunnel to `target`. Resolves to the first response to `ask` that does not require a sign-in.
 * @throws DeskError the errors of `ask`; `network/proxy-password`, `network/proxy-password-wrong`;
 * `network/proxy-account` if the proxy requires the account of the system, and the account has no ticket or was
 * rejected (details `schemes`, `reason`: a text of the system, `noTicket`, `proxyRejected`, `proxyCloses` or
 * `noAnswer`); `network/proxy-scheme` (details `schemes`, and `reason`: `noModule` if this copy of the app has no
 * module for Negotiate, `noSspi` if NTLM is not available)
 */
export type ProxyAuth = (proxy: ProxyServer, target: Target, ask: AskProxy) => Promise<ConnectResponse>;

/**
 * Opens a connection to `target` through `proxy`. All errors except `app/cancelled` have the phase `connect`, because
 * nothing was sent to the target.
 * @throws DeskError `network/proxy-unreachable`; the errors of the sign-in (proxy-auth.ts); `network/proxy-refused`
 * (`host`, `status`); `service/certificate-…` or `service/tls-…` of the proxy; `service/unreachable` or
 * `service/timeout` if the proxy does not reach the target; `app/cancelled`. The detail `proxy` is missing only for
 * certificates, TLS and `app/cancelled`
 */
export const openTunnel = async (
  proxy: ProxyServer,
  target: Target,
  within: Within,
  signIn: ProxyAuth,
): Promise<Socket> => {
  if (isSocks(proxy)) return within((connect) => openBySocks(proxy, target, connect));
  const response = await signIn(proxy, target, (authorization, previous) =>
    within(async (connect, signal) => {
      const open: Connect = previous ? () => keep(proxy, previous, signal) : connect;
      return askProxy(proxy, authority(target), open, authorization).catch((error: unknown) => {
        throw unreachable(proxy, target, error);
      });
    }),
  );
  const { status, socket } = response;
  if (status >= 200 && status < 300) return socket;
  socket.on('error', () => {}).destroy();
  throw refusal(proxy, target, status);
};

export const isSocks = ({ type }: Pick<ProxyServer, 'type'>): boolean => type.startsWith('socks');

const RETRIED: ReadonlySet<string> = new Set(['network/proxy-unreachable', 'service/unreachable', 'service/timeout']);

export const failed = (
  code: ConstructorParameters<typeof DeskError>[0],
  proxy: ProxyServer,
  more: ErrorDetails = {},
  cause?: unknown,
): DeskError => {
  const retry = RETRIED.has(code) ? 'later' : 'never';
  const details = { phase: 'connect', proxy: proxyName(proxy), ...more };
  return new DeskError(code, `the way through the proxy failed (${code})`, { retry, details, cause });
};

const unreachable = (proxy: ProxyServer, { origin }: Target, thrown: unknown): DeskError => {
  const at = new URL(`${proxy.type === 'https' ? 'https' : 'http'}://${authority(proxy)}`);
  const error = translateNetworkError(thrown, at);
  if (
    error.code === 'app/cancelled' ||
    error.code === 'network/proxy-account' ||
    /^service\/(certificate|tls)-/.test(error.code)
  )
    return error;
  const { cause } = error.details;
  return failed('network/proxy-unreachable', proxy, { origin, ...(cause !== undefined && { cause }) }, error);
};

/** Creates the error of a proxy that requires a password, or another password (`isWrong`). */
export const wantsPassword = (proxy: ProxyServer, isWrong = proxy.login !== undefined): DeskError =>
  failed(isWrong ? 'network/proxy-password-wrong' : 'network/proxy-password', proxy);

const askProxy = async (
  proxy: ProxyServer,
  path: string,
  open: Connect,
  authorization: string | undefined,
): Promise<ConnectResponse> => {
  const client = new Client(`${proxy.type}://${authority(proxy)}`, {
    headersTimeout: ANSWER_MS,
    connect: (options, callback) => {
      open(options).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
  });
  const headers = {
    host: path,
    ...USER_AGENT,
    // Some proxies know this header, but not `Connection`.
    'proxy-connection': 'keep-alive',
    ...(authorization !== undefined && { 'proxy-authorization': authorization }),
  };
  try {
    // Without `reset: false`, the client would ask the proxy to close the connection, but a handshake continues on it.
    const request = { path, headers, reset: false };
    const { statusCode, headers: theirs, socket } = await client.connect(request);
    return { status: statusCode, headers: theirs, socket: socket as Socket };
  } finally {
    // Does not close the connection, because the client no longer owns it.
    client.destroy().catch(() => {});
  }
};

/** The maximum size of a refusal's body. A larger body is not read, and its connection is closed. */
const MOST_BODY_BYTES = 256 * 1024;

/**
 * Reads the body of a response from its connection, and resolves to the connection.
 * @throws DeskError `network/proxy-account`, reason `proxyCloses`, if the connection is closed, or the body is too long
 * or of unknown length; the `cancellation` of `signal`
 */
const keep = async (proxy: ProxyServer, { headers, socket }: ConnectResponse, signal: AbortSignal): Promise<Socket> => {
  const stop = onAbort(signal, () => socket.destroy());
  socket.once('close', stop);
  let left = Number(headers['content-length'] ?? Number.NaN);
  const isKept = left <= MOST_BODY_BYTES && [headers.connection, headers['proxy-connection']].flat().every(isOpen);
  if (!isKept) socket.destroy();
  while (left > 0 && !socket.destroyed) {
    const bytes: Buffer | null = socket.read(Math.min(left, socket.readableLength || left));
    if (bytes) left -= bytes.length;
    else await moreOf(socket);
  }
  throwIfCancelled(signal);
  if (socket.destroyed) throw failed('network/proxy-account', proxy, { reason: 'proxyCloses' });
  return socket;
};

const moreOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      socket.off('readable', go).off('close', go);
      resolve();
    };
    socket.on('readable', go).on('close', go);
  });

const isOpen = (header: string | undefined): boolean => header?.toLowerCase() !== 'close';

const refusal = (proxy: ProxyServer, { origin }: Target, status: number): DeskError => {
  if (status === 504) return failed('service/timeout', proxy, { origin, status });
  if (status >= 500) return failed('service/unreachable', proxy, { origin, status });
  return failed('network/proxy-refused', proxy, { host: new URL(origin).host, status });
};

const openBySocks = async (proxy: ProxyServer, target: Target, connect: Connect): Promise<Socket> => {
  // Loaded on demand: few networks have SOCKS proxies, and loading the library takes a third as long as loading undici.
  const { SocksClient, SocksClientError } = await import('socks');
  const { host, port, login } = proxy;
  const at = { host, hostname: host, port: String(port), protocol: 'http:' };
  const existing = await connect(at).catch((error: unknown) => {
    throw unreachable(proxy, target, error);
  });
  const type = proxy.type === 'socks4' ? 4 : 5;
  const as = login && { userId: login.user, ...(type === 5 && { password: login.password }) };
  try {
    const { socket } = await SocksClient.createConnection({
      command: 'connect',
      proxy: { host, port, type, ...as },
      destination: { host: target.host, port: target.port },
      existing_socket: existing,
      timeout: ANSWER_MS,
    });
    return socket;
  } catch (error) {
    existing.destroy();
    throw error instanceof SocksClientError ? socksRefusal(proxy, target, error) : error;
  }
};

/**
 * Translates an error of the SOCKS library, which distinguishes errors only by their texts. The errors contain the
 * password, so they must not be the `cause`.
 */
const socksRefusal = (proxy: ProxyServer, target: Target, { message }: Error): DeskError => {
  if (/no accepted authentication type|authentication failed/i.test(message)) {
    return wantsPassword(proxy);
  }
  const { origin } = target;
  if (message.includes('NotAllowed')) return failed('network/proxy-refused', proxy, { host: new URL(origin).host });
  if (/rejected connection/i.test(message)) return failed('service/unreachable', proxy, { origin });
  return failed('network/proxy-unreachable', proxy, { origin });
};
