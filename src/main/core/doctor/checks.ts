import { randomBytes, X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { statfs } from 'node:fs/promises';
import { isIP, type Socket } from 'node:net';
import { rootCertificates, TLSSocket } from 'node:tls';
import type { Dispatcher } from 'undici';
import type { ConnectionCheck } from '../../../contract/connection.ts';
import type { CheckName, DoctorCheck, Found, FoundWord } from '../../../contract/doctor.ts';
import {
  DeskError,
  type ErrorData,
  fromErrorData,
  isBarredCode,
  isNameFailure,
  toErrorData,
} from '../../../contract/errors.ts';
import { cancellation, orCancelled } from '../../async/cancel.ts';
import { wallNow } from '../../async/clock.ts';
import { createConnector } from '../../net/connector.ts';
import { exchange } from '../../net/exchange.ts';
import { probeHost } from '../../net/host-health.ts';
import { type Hop, proxyName, type Route, type RouteSource } from '../../net/proxy.ts';
import type { ProxySignIn } from '../../net/proxy-auth.ts';
import type { Routing } from '../../net/route.ts';
import { translateNetworkError, translateStatus } from '../../net/translate.ts';
import type { Trust } from '../../net/trust.ts';
import { checkAddresses } from '../connection/check-addresses.ts';
import type { ConnectionServices } from '../connection/connections.ts';
import type { Host } from '../host.ts';

// Each check has a deadline. If a check fails, the checks that depend on it are skipped; the others run.

/** What a check found. `error`: the reason for a warning. A check that fails throws its error. */
type Finding = {
  readonly found?: Found;
  readonly error?: DeskError;
  readonly state?: 'warning' | 'skipped';
};

/** The deadline of a check, longer than a check takes in a healthy network. */
const DEADLINE_MS = 15_000;

export const found = (word: FoundWord, values: Found['values'] = {}): Finding => ({ found: { word, values } });

const skipped = (word: FoundWord): Finding => ({ ...found(word), state: 'skipped' });

const followsFrom = (cause: DeskError): Finding => {
  const { host, origin, proxy = '' } = cause.details;
  const at = host ?? (typeof origin === 'string' ? new URL(origin).host : '');
  return { ...found(wordAfter(cause), { host: String(at), proxy: String(proxy) }), state: 'skipped' };
};

export type Barrier = (url: string) => DeskError | undefined;

/** Turns the result of a check into that of a check that was skipped because of `cause`. */
export const followed = ({ check, host, ms }: DoctorCheck, cause: DeskError): DoctorCheck => {
  const { found: why } = followsFrom(cause);
  return { check, ...(host !== undefined && { host }), state: 'skipped', ok: true, ...(why && { found: why }), ms };
};

const wordAfter = (cause: DeskError): FoundWord => {
  const { code } = cause;
  if (code === 'network/proxy-unreachable') return 'afterProxy';
  if (isNameFailure(cause)) return 'afterName';
  if (code === 'network/proxy-address' || code === 'network/ca-file') return 'afterSetting';
  if (code.startsWith('network/proxy-')) return 'afterProxyRefusal';
  return isBarredCode(code) ? 'afterSecurity' : 'afterHost';
};

/**
 * Runs a check. The check fails if `find` rejects, if `DEADLINE_MS` passes, or if a deadline aborts `signal`.
 * @throws DeskError `app/cancelled` if `signal` is aborted for another reason
 */
export const runCheck = async (
  check: CheckName,
  signal: AbortSignal,
  find: (signal: AbortSignal) => Promise<Finding> | Finding,
  host?: string,
): Promise<DoctorCheck> => {
  const startedMs = performance.now();
  const within = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  const about = { check, ...(host !== undefined && { host }) };
  const ms = (): number => Math.round(performance.now() - startedMs);
  try {
    const { state = 'ok', error, ...what } = await orCancelled(Promise.resolve(find(within)), within);
    return { ...about, state, ok: true, ...what, ...(error && { error: toErrorData(error) }), ms: ms() };
  } catch (thrown) {
    const end = within.aborted ? cancellation(within) : undefined;
    if (end && end.code !== 'service/timeout') throw new DeskError('app/cancelled', 'cancelled');
    return { ...about, state: 'failed', ok: false, error: toErrorData(end ? late(host) : thrown), ms: ms() };
  }
};

/** Runs a check, or skips it because of `cause`. */
const runUnless = (
  cause: DeskError | undefined,
  ...[check, signal, find, host]: Parameters<typeof runCheck>
): Promise<DoctorCheck> => runCheck(check, signal, cause ? () => followsFrom(cause) : find, host);

const late = (host: string | undefined): DeskError =>
  new DeskError('service/timeout', 'the check took too long', {
    retry: 'later',
    details: host === undefined ? {} : { host },
  });

/** The minimum free space. The ledger, the cache and the logs would soon fill a smaller space. */
const LEAST_FREE_BYTES = 200 * 1000 * 1000;

type Computer = Pick<Host, 'home' | 'version' | 'keychain'> & {
  readonly uncheckedTls: boolean;
};

/** Runs the checks that do not need an open data directory. */
export const checkComputer = (
  { home, version, keychain, uncheckedTls }: Computer,
  signal: AbortSignal,
): Promise<readonly DoctorCheck[]> =>
  Promise.all([
    runCheck('version', signal, () => found('text', { text: version })),
    runCheck('free space', signal, () => freeSpace(home)),
    runCheck('keychain', signal, async () => {
      await keychain?.get('doctor');
      return found(keychain ? 'usable' : 'unused');
    }),
    ...(uncheckedTls
      ? [runCheck('certificate checks', signal, () => ({ ...found('alwaysChecked'), state: 'warning' }) as const)]
      : []),
  ]);

const freeSpace = async (home: string): Promise<Finding> => {
  const { bavail, bsize } = await statfs(home);
  const freeBytes = bavail * bsize;
  if (freeBytes < LEAST_FREE_BYTES) {
    throw new DeskError('data/unwritable', 'the disk is nearly full', { details: { path: home, freeBytes } });
  }
  return found('free', { bytes: freeBytes });
};

// The checks of a host, in their order: proxy, name lookup, connection, certificate. They send no request to the host.

export type HostAccess = { readonly routing: Routing; readonly trust: Trust };

/** The results for one host. `barrier`: why no request can be sent to the host; undefined if requests can be sent. */
export type CheckedHost = Awaited<ReturnType<typeof checkHost>>;

/** Checks the host at `origin`. A check is skipped if it depends on a check that failed. */
export const checkHost = async (access: HostAccess, origin: string, signal: AbortSignal) => {
  const url = new URL(origin);
  const { host } = url;
  let route: Route | undefined;
  const proxy = await runCheck(
    'proxy',
    signal,
    async () => {
      route = await access.routing.routeOf(origin);
      return routeFound(route);
    },
    host,
  );
  const signIns = new Map<string, ProxySignIn>();
  const open = createOpener(access, url, (name, signIn) => signIns.set(name, signIn));
  const after = (before: DoctorCheck, check: CheckName, find: (within: AbortSignal) => Promise<Finding>) =>
    runUnless(errorOf(before), check, signal, find, host);
  const [name, connection] = await Promise.all([
    after(proxy, 'name lookup', () => lookUp(url, route?.hops[0])),
    after(proxy, 'network connection', (within) => connect(open, within)),
  ]);
  // Only the name of the first hop is looked up. A failed lookup does not matter if another hop connected.
  const cause = connection.ok ? connection : name.ok ? connection : name;
  const secure = await after(cause, 'certificate', (within) => certificate(open, url, within));
  const barrier = errorOf(proxy) ?? errorOf(cause) ?? errorOf(secure);
  const connected = cause === name && barrier ? followed(connection, barrier) : connection;
  const signedIn = [...signIns].flatMap((one) => proxySignIns(one, barrier));
  const others = await Promise.all(signedIn.map((find) => runCheck('proxy sign-in', signal, find, host)));
  return { origin, checks: [proxy, name, connected, ...others, secure], barrier };
};

/**
 * Creates the checks of the sign-in at a proxy. One check reports the scheme and the user that the proxy accepted. For
 * each scheme that failed with a known reason, another check warns. There is no warning if this computer does not
 * support NTLM, or if the check `network connection` has failed because of the account.
 */
const proxySignIns = (
  [proxy, { scheme, user, failures }]: readonly [string, ProxySignIn],
  barrier: DeskError | undefined,
): readonly (() => Promise<Finding>)[] => {
  const used = scheme === undefined ? [] : [async () => found('proxySignIn', { scheme, user: await user() })];
  // The check `network connection` already reports this error.
  if (barrier?.code === 'network/proxy-account') return used;
  const warnings = [...failures]
    .filter(([, reason]) => reason !== '' && reason !== 'noSspi')
    .map(([name, reason]) => async (): Promise<Finding> => {
      const error = new DeskError('network/proxy-account', `${name} was of no use`, { details: { proxy, reason } });
      return { error, state: 'warning' };
    });
  return [...used, ...warnings];
};

const errorOf = ({ ok, error }: DoctorCheck): DeskError | undefined =>
  ok || !error ? undefined : fromErrorData(error);

const routeFound = ({ hops, source }: Route): Finding => {
  const proxies = hops.map((hop) => (hop === 'direct' ? 'DIRECT' : proxyName(hop)));
  const kind = hops.every((hop) => hop === 'direct') ? 'direct' : 'proxy';
  return found(wordOf(kind, source), { proxy: proxies.join(', '), variable: source.replace(/^environment /, '') });
};

const SETTERS: { readonly [Source in RouteSource]?: 'Settings' | 'Policy' | 'System' } = {
  settings: 'Settings',
  policy: 'Policy',
  system: 'System',
};

const wordOf = (kind: 'direct' | 'proxy', source: RouteSource): FoundWord =>
  source === 'nothing' ? 'direct' : `${kind}By${SETTERS[source] ?? 'Variable'}`;

/** Looks up the address of the first hop, which is the host or a proxy. A proxy looks up the host itself. */
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

/** The timeout for opening a connection, longer than a healthy network needs, even through a proxy. */
const OPEN_MS = 6_000;

type Open = (protocol: string, signal: AbortSignal) => Promise<Socket>;

/** Creates a function that opens connections on the route of requests, without TLS if the protocol is `http:`. */
const createOpener = (
  { routing, trust }: HostAccess,
  url: URL,
  onProxySignIn: NonNullable<Routing['onProxySignIn']>,
): Open => {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const options = { hostname: url.hostname, host: url.host, port };
  return (protocol, signal) =>
    new Promise((resolve, reject) => {
      const connector = createConnector({
        routing: { ...routing, routeOf: () => routing.routeOf(url.origin), onProxySignIn },
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

/** Certificates that expire within this time cause a warning. */
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

/** Returns the organisation in a distinguished name as Node formats it, or else the common name or the whole name. */
const nameIn = (name: string): string =>
  (/^O=(.+)$/m.exec(name) ?? /^CN=(.+)$/m.exec(name))?.[1] ?? name.replaceAll('\n', ', ');

/**
 * Whether one of `authorities` (PEM) has signed `leaf` or another certificate of the chain that the server sent. The
 * whole chain counts, because a server may also send a newer authority that an older one has signed. Signatures are
 * verified, because a matching name proves nothing.
 */
export const isIssuedBy = (leaf: X509Certificate, authorities: readonly string[]): boolean => {
  const known = authorities.map((pem) => new X509Certificate(pem));
  for (let present: X509Certificate | undefined = leaf; present; present = present.issuerCertificate) {
    const { issuer } = present;
    for (const authority of known) if (authority.subject === issuer && present.verify(authority.publicKey)) return true;
    if (issuer === present.subject) return false;
  }
  return false;
};

/**
 * The smallest difference between the clocks that fails the check. With this difference, signatures and tokens may be
 * refused.
 */
const WRONG_MS = 5 * 60_000;
/** The smallest difference between the clocks that causes a warning. */
const OFF_MS = 60_000;

export const checkService = async (
  dispatcher: Dispatcher,
  { connection, session, service }: Pick<ConnectionServices, 'connection' | 'session' | 'service'>,
  barrier: Barrier,
  signal: AbortSignal,
): Promise<readonly DoctorCheck[]> => {
  const { baseUrl, authUrl } = connection;
  const [toService, toSignIn] = [barrier(baseUrl), barrier(authUrl)];
  const reached: Promise<ConnectionCheck> =
    toService && toSignIn ? Promise.resolve({}) : checkAddresses(connection, dispatcher, signal);
  // The checks that await this promise report its errors.
  reached.catch(() => {});
  return Promise.all([
    runUnless(toService, 'service', signal, async () => answers((await reached).baseUrl)),
    runUnless(toSignIn, 'sign-in address', signal, async () => answers((await reached).authUrl)),
    runUnless(toService, 'clock', signal, (within) => clock(dispatcher, new URL(new URL(baseUrl).origin), within)),
    runUnless(toService, 'service data', signal, async (within) => {
      if (!session.user().signedIn) return skipped('noSession');
      await service.listOrderableEvents({ signal: within });
      return found('answers');
    }),
  ]);
};

const answers = (problem: ErrorData | undefined): Finding => {
  if (problem) throw fromErrorData(problem);
  return found('answers');
};

/** Compares this computer's clock with the `Date` header of the service (RFC 9110 section 6.6.1). */
const clock = async (dispatcher: Dispatcher, url: URL, signal: AbortSignal): Promise<Finding> => {
  const { headers } = await exchange(dispatcher, { method: 'HEAD', url, headers: {}, signal });
  const theirsMs = Date.parse(String(headers.date));
  if (Number.isNaN(theirsMs)) return skipped('noAnswer');
  // The header states whole seconds, so up to one second of the difference is not real.
  const offMs = Math.max(0, Math.abs(wallNow() - theirsMs) - 1_000);
  const finding = found('clock', { seconds: Math.round(offMs / 1_000) });
  if (offMs < OFF_MS) return finding;
  const details = { minutes: Math.round(offMs / 60_000) };
  const error = new DeskError('upload/clock-wrong', 'the clock differs from the clock of the service', { details });
  if (offMs >= WRONG_MS) throw error;
  return { ...finding, error, state: 'warning' };
};

const TEST_BYTES = 4 * 1024 * 1024;

/**
 * Checks the storage and the upload speed. `origin`: the storage that last received a file or responded to a probe, if
 * known.
 */
export const checkStorage = (
  dispatcher: Dispatcher,
  connected: Pick<ConnectionServices, 'connection' | 'session' | 'service'>,
  origin: string | undefined,
  barrier: Barrier,
  signal: AbortSignal,
): Promise<readonly DoctorCheck[]> =>
  Promise.all([
    runUnless(
      origin === undefined ? undefined : barrier(origin),
      'storage',
      signal,
      async (within) => {
        if (origin === undefined) return skipped('noStorage');
        await probeHost(dispatcher, origin, within).catch((error: unknown) => {
          throw translateNetworkError(error, new URL(origin));
        });
        return found('answers');
      },
      origin && new URL(origin).host,
    ),
    runUnless(barrier(connected.connection.baseUrl), 'test upload', signal, (within) =>
      testUpload(dispatcher, connected, within),
    ),
  ]);

/** Measures the upload speed at the sample service. A real service has no place for test files. */
const testUpload = async (
  dispatcher: Dispatcher,
  { connection, session, service }: Pick<ConnectionServices, 'connection' | 'session' | 'service'>,
  signal: AbortSignal,
): Promise<Finding> => {
  if (!connection.sample) return skipped('noTestFiles');
  if (!session.user().signedIn) return skipped('noSession');
  const { value } = await service.listProjectAssignments({}, { signal });
  const AssignmentId = value.Items[0]?.AssignmentId;
  if (AssignmentId === undefined) return skipped('noTestFiles');
  const { Key, Url } = await service.signUpload({ AssignmentId, FileName: 'doctor.bin' }, { signal });
  try {
    const body = randomBytes(TEST_BYTES).toString('latin1');
    const startedMs = performance.now();
    const headers = { 'content-type': 'application/octet-stream' };
    const response = await exchange(dispatcher, { method: 'PUT', url: new URL(Url), headers, body, signal });
    if (response.status >= 300) throw translateStatus(response);
    const seconds = (performance.now() - startedMs) / 1_000;
    return found('speed', { bytes: Math.round(Buffer.byteLength(body) / seconds) });
  } finally {
    await service.removeFile({ AssignmentId, Key }).catch(() => {});
  }
};
