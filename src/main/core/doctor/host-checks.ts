/** How a host is reached, step by step: proxy, name, connection, certificate. Nothing is sent to it. */
import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { rootCertificates, TLSSocket } from 'node:tls';
import type { CheckName, DoctorCheck, FoundWord } from '../../../contract/doctor.ts';
import { DeskError, fromErrorData } from '../../../contract/errors.ts';
import { wallNow } from '../../async/clock.ts';
import { createConnector } from '../../net/connector.ts';
import { type Hop, proxyName, type Route, type RouteSource } from '../../net/proxy.ts';
import type { Routing } from '../../net/route.ts';
import { translateNetworkError } from '../../net/translate.ts';
import type { Trust } from '../../net/trust.ts';
import { type Finding, followed, followsFrom, found, runCheck } from './check.ts';
import { isIssuedBy } from './issued-by.ts';

/** How the app reaches hosts. */
export type HostWays = { readonly routing: Routing; readonly trust: Trust };

/** `barrier`: why nothing can be asked of the host. */
export type CheckedHost = {
  readonly origin: string;
  readonly checks: readonly DoctorCheck[];
  readonly barrier?: DeskError | undefined;
};

/** The checks of the host at `origin`. What follows from the failure of another one is skipped. */
export const checkHost = async (ways: HostWays, origin: string, signal: AbortSignal): Promise<CheckedHost> => {
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
  const open = createOpener(ways, url);
  /** Runs a check unless a check `before` it has failed. */
  const after = (before: DoctorCheck, check: CheckName, find: (within: AbortSignal) => Promise<Finding>) => {
    const cause = errorOf(before);
    return runCheck(check, signal, (within) => (cause ? followsFrom(cause) : find(within)), host);
  };
  const [name, connection] = await Promise.all([
    after(proxy, 'name lookup', () => lookUp(url, route?.hops[0])),
    after(proxy, 'network connection', (within) => connect(open, within)),
  ]);
  // A name that is unknown here is no obstacle where another proxy, or none, is tried next.
  const cause = connection.ok ? connection : name.ok ? connection : name;
  const secure = await after(cause, 'certificate', (within) => certificate(open, url, within));
  const barrier = errorOf(proxy) ?? errorOf(cause) ?? errorOf(secure);
  const connected = cause === name && barrier ? followed(connection, barrier) : connection;
  return { origin, checks: [proxy, name, connected, secure], barrier };
};

const errorOf = ({ ok, error }: DoctorCheck): DeskError | undefined =>
  ok || !error ? undefined : fromErrorData(error);

const SOURCES: Readonly<Record<'direct' | 'proxy', Readonly<Record<'settings' | 'policy' | 'system', FoundWord>>>> = {
  direct: { settings: 'directBySettings', policy: 'directByPolicy', system: 'directBySystem' },
  proxy: { settings: 'proxyBySettings', policy: 'proxyByPolicy', system: 'proxyBySystem' },
};

const routeFound = ({ hops, source }: Route): Finding => {
  const proxies = hops.map((hop) => (hop === 'direct' ? 'DIRECT' : proxyName(hop)));
  const kind = hops.every((hop) => hop === 'direct') ? 'direct' : 'proxy';
  return found(wordOf(kind, source), { proxy: proxies.join(', '), variable: source.replace(/^environment /, '') });
};

const wordOf = (kind: 'direct' | 'proxy', source: RouteSource): FoundWord => {
  if (source === 'settings' || source === 'policy' || source === 'system') return SOURCES[kind][source];
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
  } catch (thrown) {
    const error = translateNetworkError(thrown, url);
    if (isDirect) throw error;
    const details = { ...error.details, proxy: proxyName(hop) };
    throw new DeskError('network/proxy-unreachable', 'the proxy has no address', { retry: 'later', details });
  }
};

/** Longer than any healthy network takes to open a connection, also through a proxy. */
const OPEN_MS = 6_000;

type Open = (protocol: string, signal: AbortSignal) => Promise<Socket>;

/** Opens connections to the host as requests do; `http:` stops before TLS. */
const createOpener = ({ routing, trust }: HostWays, url: URL): Open => {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const options = { hostname: url.hostname, host: url.host, port };
  return (protocol, signal) =>
    new Promise((resolve, reject) => {
      const connector = createConnector({
        routing: { ...routing, routeOf: () => routing.routeOf(url.origin) },
        trust,
        closing: AbortSignal.any([signal, AbortSignal.timeout(OPEN_MS)]),
      });
      connector({ ...options, protocol }, (error, socket) => {
        if (error) return reject(translateNetworkError(error, url));
        resolve(socket.on('error', () => {}));
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
  if (until.getTime() - wallNow() < SOON_MS) return { ...found('certificateEnds', values), state: 'warning' };
  return found(isIssuedBy(leaf, rootCertificates) ? 'certificate' : 'certificateOfOffice', values);
};

/** The organisation in a distinguished name as Node writes it, one part a line; else the common name, else all of it. */
const nameIn = (name: string): string =>
  (/^O=(.+)$/m.exec(name) ?? /^CN=(.+)$/m.exec(name))?.[1] ?? name.replaceAll('\n', ', ');
