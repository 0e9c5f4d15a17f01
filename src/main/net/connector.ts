/**
 * Opens the connections of all pools, each by the route to its host. A certificate that is not accepted ends the
 * connection before a byte is sent; this cannot be bypassed.
 */
import type { Socket } from 'node:net';
import { type PeerCertificate, type SecureContext, TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { DeskError } from '../../contract/errors.ts';
import { isPasswordWanted, tryLogin } from './login-trials.ts';
import { type Hop, type ProxyServer, proxyName } from './proxy.ts';
import type { Routing } from './route.ts';
import type { Trust } from './trust.ts';
import { openTunnel } from './tunnel.ts';

const CONNECT_MS = 10_000;

/** How hosts are reached, and which authorities are trusted. Absent: directly; those that the app brings. */
export type ConnectorOptions = { readonly routing?: Routing | undefined; readonly trust?: Trust | undefined };

type Options = buildConnector.Options;

/** Connects over TCP or TLS, through proxies where the route says so. A TLS error also has `CertificateFacts`. */
export const createConnector = ({ routing, trust }: ConnectorOptions = {}): buildConnector.connector => {
  const direct = createDirect(trust);

  const through = async (proxy: ProxyServer, options: Options, { nextLogin, trials }: Routing): Promise<Socket> => {
    const { hostname, protocol } = options;
    const port = Number(options.port) || (protocol === 'https:' ? 443 : 80);
    const target = { host: hostname.replace(/^\[|\]$/g, ''), port, origin: originOf(options) };
    let { login } = proxy;
    for (;;) {
      try {
        const server = { ...proxy, ...(login && { login }) };
        const socket = await tryLogin(trials, server, () => openTunnel(server, target, direct));
        return protocol === 'https:' ? await direct({ ...options, httpSocket: socket }) : socket;
      } catch (error) {
        if (!isPasswordWanted(error)) throw error;
        login = await nextLogin(proxyName(proxy), login);
        if (login === undefined) throw error;
      }
    }
  };

  const open = async (options: Options, routing: Routing): Promise<Socket> => {
    const { hops } = await routing.routeOf(originOf(options));
    let failure: unknown;
    for (const hop of hops) {
      try {
        return await (hop === 'direct' ? direct(options) : through(hop, options, routing));
      } catch (error) {
        failure = error;
        if (!isUnreached(hop, error)) break;
        if (hop !== 'direct') routing.unreachable(proxyName(hop));
      }
    }
    throw failure;
  };

  return (options, callback) => {
    (routing ? open(options, routing) : direct(options)).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
};

const originOf = ({ protocol, host = '' }: Options): string => `${protocol}//${host}`;

/** Whether the next way may help: this proxy, or without one the host itself, was not reached. */
const isUnreached = (hop: Hop, error: unknown): boolean =>
  hop === 'direct'
    ? !(error instanceof DeskError) && !(error instanceof Error && 'validTo' in error)
    : error instanceof DeskError && error.code === 'network/proxy-unreachable';

/** Connects to the host itself, or over the socket of a tunnel to it. */
const createDirect = (trust: Trust | undefined) => {
  const common = { timeout: CONNECT_MS, allowH2: false };
  const plain = buildConnector(common);
  let secure: { readonly context: SecureContext; readonly connect: buildConnector.connector } | undefined;
  return async (options: Options): Promise<Socket> => {
    if (options.protocol !== 'https:' || trust === undefined) return connectOnce(plain, options);
    const context = await trust();
    if (secure?.context !== context)
      secure = { context, connect: buildConnector({ ...common, secureContext: context }) };
    return connectOnce(secure.connect, options);
  };
};

const connectOnce = (connect: buildConnector.connector, options: Options): Promise<Socket> =>
  new Promise((resolve, reject) => {
    let facts: CertificateFacts | undefined;
    // undici returns the socket, although its types do not say so.
    const socket: unknown = connect(options, (...[error, connected]) => {
      if (error) reject(facts === undefined ? error : Object.assign(error, facts));
      else resolve(connected);
    });
    // Runs before Node's own listener, which checks the certificate and closes the connection if it is wrong.
    if (!(socket instanceof TLSSocket)) return;
    socket.prependListener('secure', () => {
      facts = factsOf(socket.getPeerCertificate());
    });
  });

/** What the presented certificate says; days as 2026-01-31. */
type CertificateFacts = { readonly issuer?: string; readonly validFrom: string; readonly validTo: string };

const factsOf = ({ issuer, valid_from, valid_to }: PeerCertificate): CertificateFacts => {
  const name = nameIn(issuer);
  return { ...(name !== undefined && { issuer: name }), validFrom: dayOf(valid_from), validTo: dayOf(valid_to) };
};

const dayOf = (written: string): string => {
  const date = new Date(written);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
};

/** The authority's name; undefined if it is empty or has several lines. */
const nameIn = (issuer: PeerCertificate['issuer'] | undefined): string | undefined => {
  const name = [issuer?.O ?? issuer?.CN].flat().join(', ');
  return (
    name
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, 100) || undefined
  );
};
