/** Opens a connection to a host through a proxy: by CONNECT (RFC 9110 section 9.3.6) or by SOCKS (RFC 1928). */
import type { Socket } from 'node:net';
import { SocksClient, SocksClientError } from 'socks';
import { type buildConnector, Client } from 'undici';
import { DeskError, type ErrorDetails } from '../../contract/errors.ts';
import { type ProxyServer, proxyName } from './proxy.ts';
import { translateNetworkError } from './translate.ts';

/** A proxy may try for long to reach a host. */
const ANSWER_MS = 30_000;

type Target = { readonly host: string; readonly port: number; readonly origin: string };

/** Opens a connection to the proxy itself. */
type Connect = (options: buildConnector.Options) => Promise<Socket>;

/**
 * A connection to `target` that `proxy` passes on. All errors are of phase `connect`: nothing was sent to the target.
 * @throws DeskError `network/proxy-unreachable`; `network/proxy-password`, `network/proxy-password-wrong`,
 *   `network/proxy-scheme` (details `schemes`: what it accepts), `network/proxy-refused` (`host`, `status`),
 *   `service/certificate-…` of the proxy; `service/unreachable` or `service/timeout` if the proxy does not reach the
 *   target. Each but the certificate's names the `proxy`.
 */
export const openTunnel = (proxy: ProxyServer, target: Target, connect: Connect): Promise<Socket> =>
  proxy.type === 'http' || proxy.type === 'https'
    ? openByConnect(proxy, target, connect)
    : openBySocks(proxy, target, connect);

const failed = (
  code: ConstructorParameters<typeof DeskError>[0],
  proxy: ProxyServer,
  more: ErrorDetails = {},
  cause?: unknown,
): DeskError => {
  const retry = ['network/proxy-unreachable', 'service/unreachable', 'service/timeout'].includes(code)
    ? 'later'
    : 'never';
  const details = { phase: 'connect', proxy: proxyName(proxy), ...more };
  return new DeskError(code, `the way through the proxy failed (${code})`, { retry, details, cause });
};

/** The error of a connection to the proxy itself. */
const unreachable = (proxy: ProxyServer, { origin }: Target, thrown: unknown): DeskError => {
  const at = new URL(`${proxy.type === 'https' ? 'https' : 'http'}://${proxyName(proxy)}`);
  const error = translateNetworkError(thrown, at);
  if (error.code === 'app/cancelled' || /^service\/(certificate|tls)-/.test(error.code)) return error;
  const { cause } = error.details;
  return failed('network/proxy-unreachable', proxy, { origin, ...(cause !== undefined && { cause }) }, error);
};

/** The error of a proxy that wants a password, or another one than it was given (`isWrong`). */
export const wantsPassword = (proxy: ProxyServer, isWrong = proxy.login !== undefined): DeskError =>
  failed(isWrong ? 'network/proxy-password-wrong' : 'network/proxy-password', proxy);

const authority = ({ host, port }: Target): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

const openByConnect = async (proxy: ProxyServer, target: Target, connect: Connect): Promise<Socket> => {
  const { type, login } = proxy;
  const client = new Client(`${type}://${proxyName(proxy)}`, {
    headersTimeout: ANSWER_MS,
    connect: (options, callback) => {
      connect(options).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
  });
  const path = authority(target);
  const given = login && Buffer.from(`${login.user}:${login.password}`).toString('base64');
  const headers = { host: path, ...(given !== undefined && { 'proxy-authorization': `Basic ${given}` }) };
  try {
    const answer = await client.connect({ path, headers }).catch((error: unknown) => {
      throw unreachable(proxy, target, error);
    });
    const { statusCode: status, socket } = answer;
    if (status >= 200 && status < 300) return socket as Socket;
    socket.on('error', () => {}).destroy();
    throw refusal(proxy, target, status, schemesIn(answer.headers['proxy-authenticate']));
  } finally {
    // Its only connection was handed over.
    client.destroy().catch(() => {});
  }
};

const refusal = (proxy: ProxyServer, { origin }: Target, status: number, schemes: readonly string[]): DeskError => {
  if (status === 407) {
    const takesBasic = schemes.some((scheme) => scheme.toLowerCase() === 'basic');
    if (takesBasic) return wantsPassword(proxy);
    return failed('network/proxy-scheme', proxy, { schemes: schemes.join(', ') });
  }
  if (status === 504) return failed('service/timeout', proxy, { origin, status });
  if (status >= 500) return failed('service/unreachable', proxy, { origin, status });
  return failed('network/proxy-refused', proxy, { host: new URL(origin).host, status });
};

/** The schemes of a Proxy-Authenticate header: the words that no `=` follows. */
const schemesIn = (header: string | string[] | undefined): readonly string[] =>
  [header ?? []]
    .flat()
    .flatMap((value) => [...value.matchAll(/(?:^|,)\s*([A-Za-z][\w-]*)(?=\s+[^\s=]|\s*,|\s*$)/g)])
    .flatMap(([, scheme]) => scheme ?? []);

const openBySocks = async (proxy: ProxyServer, target: Target, connect: Connect): Promise<Socket> => {
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
    throw socksRefusal(proxy, target, error);
  }
};

/** The library distinguishes errors only by their texts. They contain the password, so they are no `cause`. */
const socksRefusal = (proxy: ProxyServer, target: Target, thrown: unknown): DeskError => {
  if (!(thrown instanceof SocksClientError)) throw thrown;
  const { message } = thrown;
  if (/no accepted authentication type|authentication failed/i.test(message)) {
    return wantsPassword(proxy);
  }
  const { origin } = target;
  if (message.includes('NotAllowed')) return failed('network/proxy-refused', proxy, { host: new URL(origin).host });
  if (/rejected connection/i.test(message)) return failed('service/unreachable', proxy, { origin });
  return failed('network/proxy-unreachable', proxy, { origin });
};
