/** Proxies, and the ways to a host that consist of them. Plain data: it crosses threads. */
import { DeskError } from '../../contract/errors.ts';

/** A proxy with what it wants to know of its user. Never logged as a whole: `proxyName` is what people see. */
export type ProxyServer = {
  readonly type: 'http' | 'https' | 'socks4' | 'socks5';
  /** A name or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly login?: ProxyLogin;
};

export type ProxyLogin = { readonly user: string; readonly password: string };

/** One way to a host. */
export type Hop = 'direct' | ProxyServer;

/** What decided about the way: a setting, the organisation's policy, the system, an environment variable of that name, or nothing. */
export type RouteSource = 'settings' | 'policy' | 'system' | `environment ${string}` | 'nothing';

/** The ways to a host, to be tried in order. At least one. */
export type Route = { readonly hops: readonly Hop[]; readonly source: RouteSource };

/** The proxy's host and port, by which it is known to people, the keychain and the log. */
export const proxyName = ({ host, port }: ProxyServer): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

const TYPES: Readonly<Record<string, { readonly type: ProxyServer['type']; readonly port: number }>> = {
  'http:': { type: 'http', port: 80 },
  'https:': { type: 'https', port: 443 },
  'socks:': { type: 'socks5', port: 1080 },
  'socks5:': { type: 'socks5', port: 1080 },
  'socks5h:': { type: 'socks5', port: 1080 },
  'socks4:': { type: 'socks4', port: 1080 },
  'socks4a:': { type: 'socks4', port: 1080 },
};

/**
 * The proxy at `address`: `http://`, `https://`, `socks5://` or `socks4://`, with a port and, for some, `user:password@`;
 * without a scheme it is `http://`. Names are always resolved by the proxy.
 * @throws DeskError `network/proxy-address`, details `field`; the address itself may hold a password and is not told
 */
export const parseProxy = (address: string, field: string): ProxyServer => {
  const text = address.includes('://') ? address : `http://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const known = url && TYPES[url.protocol];
  if (!known || url.hostname === '') {
    throw new DeskError('network/proxy-address', 'not the address of a proxy', { details: { field } });
  }
  const { type, port } = known;
  const login = url.username === '' ? {} : { login: { user: plain(url.username), password: plain(url.password) } };
  return { type, host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || port, ...login };
};

const plain = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
};

const PAC_TYPES: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  // As Chromium reads it.
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5',
};

/** The ways in the answer of a PAC script: `PROXY a:8080; SOCKS5 b; DIRECT`. Entries of other kinds are left out. */
export const parsePac = (answer: string): readonly Hop[] => {
  const hops = answer.split(';').flatMap((entry): Hop[] => {
    const [word = '', address = ''] = entry.trim().split(/\s+/);
    if (word.toUpperCase() === 'DIRECT') return ['direct'];
    const scheme = PAC_TYPES[word.toUpperCase()];
    if (scheme === undefined || !URL.canParse(`${scheme}://${address}`)) return [];
    return [parseProxy(`${scheme}://${address}`, 'pac')];
  });
  return hops.length > 0 ? hops : ['direct'];
};
