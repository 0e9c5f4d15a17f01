/** How a host is reached, step by step: proxy, name, connection, certificate. Nothing is sent to it. */
import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { rootCertificates, TLSSocket } from 'node:tls';
import type { DoctorCheck, FoundWord } from '../../../contract/doctor.ts';
import { createConnector } from '../../net/connector.ts';
import { type Hop, proxyName, type Route, type RouteSource } from '../../net/proxy.ts';
import type { Routing } from '../../net/route.ts';
import { translateNetworkError } from '../../net/translate.ts';
import type { Trust } from '../../net/trust.ts';
import { type Finding, found, runCheck, skipped } from './check.ts';
import { isIssuedBy } from './issued-by.ts';

/** How the app reaches hosts. */
export type HostWays = { readonly routing: Routing; readonly trust: Trust };

/** The checks of the host at `origin`, in the order in which they depend on each other. */
export const checkHost = async (
  ways: HostWays,
  origin: string,
  signal: AbortSignal,
): Promise<readonly DoctorCheck[]> => {
  const url = new URL(origin);
  const { host } = url;
  let route: Route | undefined;
  const proxy = await runCheck(
    'proxy',
    signal,
    async () => {
      route = await ways.routing.routeOf(origin);
      return routeFound(route);
    },
    host,
  );
  const first = route?.hops[0];
  const open = createOpener(ways, url);
  const connection = async (): Promise<readonly DoctorCheck[]> => {
    const connected = await runCheck('network connection', signal, (within) => connect(open, within), host);
    const secure = await runCheck(
      'certificate',
      signal,
      (within) => (connected.ok ? certificate(open, url, within) : skipped('noAnswer')),
      host,
    );
    return [connected, secure];
  };
  const [name, others] = await Promise.all([
    runCheck('name lookup', signal, () => lookUp(url, first), host),
    connection(),
  ]);
  return [proxy, name, ...others];
};

const SOURCES: Readonly<Record<'direct' | 'proxy', Readonly<Record<'settings' | 'system', FoundWord>>>> = {
  direct: { settings: 'directBySettings', system: 'directBySystem' },
  proxy: { settings: 'proxyBySettings', system: 'proxyBySystem' },
};

const routeFound = ({ hops, source }: Route): Finding => {
  const proxies = hops.map((hop) => (hop === 'direct' ? 'DIRECT' : proxyName(hop)));
  const kind = hops.every((hop) => hop === 'direct') ? 'direct' : 'proxy';
  return found(wordOf(kind, source), { proxy: proxies.join(', '), variable: source.replace(/^environment /, '') });
};

const wordOf = (kind: 'direct' | 'proxy', source: RouteSource): FoundWord => {
  if (source === 'settings' || source === 'system') return SOURCES[kind][source];
  if (source === 'nothing') return 'direct';
  return kind === 'direct' ? 'directByVariable' : 'proxyByVariable';
};

/** The addresses of the host, or of the proxy that looks the host up itself. */
const lookUp = async (url: URL, hop: Hop | undefined): Promise<Finding> => {
  const isDirect = hop === undefined || hop === 'direct';
  const name = isDirect ? url.hostname.replace(/^\[|\]$/g, '') : hop.host;
  if (isIP(name) > 0) return isDirect ? found('text', { text: name }) : found('lookedUpByProxy');
  try {
    const addresses = await lookup(name, { all: true });
    return found('text', { text: addresses.map(({ address }) => address).join(', ') });
  } catch (error) {
    throw translateNetworkError(error, url);
  }
};

type Open = (protocol: string, signal: AbortSignal) => Promise<Socket>;

/** Opens connections to the host as requests do; `http:` stops before TLS. */
const createOpener = ({ routing, trust }: HostWays, url: URL): Open => {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const connector = createConnector({
    routing: { ...routing, routeOf: () => routing.routeOf(url.origin) },
    trust,
  });
  const options = { hostname: url.hostname, host: url.host, port };
  return (protocol, signal) =>
    new Promise((resolve, reject) => {
      connector({ ...options, protocol }, (error, socket) => {
        if (error) return reject(translateNetworkError(error, url));
        socket.on('error', () => {});
        if (signal.aborted) socket.destroy();
        signal.addEventListener('abort', () => socket.destroy(), { once: true });
        resolve(socket);
      });
    });
};

const connect = async (open: Open, signal: AbortSignal): Promise<Finding> => {
  const socket = await open('http:', signal);
  const address = socket.remoteAddress ?? '';
  socket.destroy();
  return found('connected', { address });
};

/** A certificate that ends within this time is worth a word. */
const SOON_MS = 14 * 24 * 3_600_000;

const certificate = async (open: Open, url: URL, signal: AbortSignal): Promise<Finding> => {
  if (url.protocol !== 'https:') return { ...found('withoutTls'), state: 'skipped' };
  const socket = await open('https:', signal);
  if (!(socket instanceof TLSSocket)) throw new Error('a connection without TLS');
  const leaf = socket.getPeerX509Certificate();
  socket.destroy();
  if (leaf === undefined) throw new Error('a TLS connection without a certificate');
  const until = new Date(leaf.validTo);
  const issuer = nameIn(leaf.issuer);
  const values = { issuer, until: until.toISOString().slice(0, 10) };
  if (until.getTime() - Date.now() < SOON_MS) return { ...found('certificateEnds', values), state: 'warning' };
  return found(isIssuedBy(leaf, rootCertificates) ? 'certificate' : 'certificateOfOffice', values);
};

/** The organisation in a distinguished name as Node writes it, one part a line; else the common name, else all of it. */
const nameIn = (name: string): string =>
  (/^O=(.+)$/m.exec(name) ?? /^CN=(.+)$/m.exec(name))?.[1] ?? name.replaceAll('\n', ', ');
