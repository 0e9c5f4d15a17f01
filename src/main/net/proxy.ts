/** Proxies and routes to a host, as plain data that can be sent to workers. */

import { BlockList, isIP } from 'node:net';
import { attempt } from 'es-toolkit/util/attempt';
import { isLoopback } from '../../contract/connection.ts';
import { DeskError } from '../../contract/errors.ts';

/** A proxy with its login. Must not be logged as a whole: users see `proxyName`. */
export type ProxyServer = {
  readonly type: 'http' | 'https' | 'socks4' | 'socks5';
  /** A name or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly login?: ProxyLogin;
};

/**
 * A login at a proxy. `inClear`: whether the user has entered it for a scheme that sends passwords unencrypted. False:
 * no such scheme sends it; absent, as in addresses: any scheme does.
 */
export type ProxyLogin = {
  readonly user: string;
  readonly password: string;
  readonly inClear?: boolean | undefined;
};

/** One connection to try for a host: direct, or through a proxy. */
export type Hop = 'direct' | ProxyServer;

/**
 * Where a route comes from: a setting, the organisation's policy, the system, a named environment variable, or none of
 * them.
 */
export type RouteSource = 'settings' | 'policy' | 'system' | `environment ${string}` | 'nothing';

/** A route to a host. `hops` has at least one hop. The hops are tried in order. */
export type Route = { readonly hops: readonly Hop[]; readonly source: RouteSource };

/** Returns the host and port as in an address: `example.com:443`, `[::1]:443`. */
export const authority = ({ host, port }: Pick<ProxyServer, 'host' | 'port'>): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * Returns the name of the proxy for users, the keychain and the log: its host and port, after `https://` if it is
 * reached over TLS. A password that was stored for a proxy with TLS is therefore never sent without TLS, even if a
 * network's PAC script names the same host and port as a proxy without TLS.
 */
export const proxyName = (proxy: ProxyServer): string =>
  `${proxy.type === 'https' ? 'https://' : ''}${authority(proxy)}`;

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
 * Parses the address of a proxy. The scheme is `http://`, `https://`, `socks5://` or `socks4://` (also `socks://`,
 * `socks5h://`, `socks4a://`), by default `http://`. `user:password@` and the port are optional. With every scheme, the
 * proxy resolves host names.
 * @throws DeskError `network/proxy-address`, details `field`; without the address, which may contain a password
 */
export const parseProxy = (address: string, field: string): ProxyServer => {
  const proxy = proxyAt(address.includes('://') ? address : `http://${address}`);
  if (!proxy) throw new DeskError('network/proxy-address', 'not the address of a proxy', { details: { field } });
  return proxy;
};

const proxyAt = (address: string): ProxyServer | undefined => {
  // `URL` would end the host at the `\` of `DOMAIN\user:password@proxy`. It also ends the host at `/`, `?` and `#`: if
  // an `@` follows, the login was not encoded, and the host is only the beginning of the login.
  const encoded = address.replaceAll('\\', '%5C');
  const url = URL.canParse(encoded) ? new URL(encoded) : undefined;
  const known = url && TYPES[url.protocol];
  const isCut = url && `${url.pathname}${url.search}${url.hash}`.includes('@');
  if (!known || url.hostname === '' || isCut) return undefined;
  const { type, port } = known;
  const login = url.username === '' ? {} : { login: { user: plain(url.username), password: plain(url.password) } };
  return { type, host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || port, ...login };
};

const plain = (encoded: string): string => attempt(() => decodeURIComponent(encoded))[1] ?? encoded;

const PAC_TYPES: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  // As in Chromium, SOCKS without a version is SOCKS 4.
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5',
};

/**
 * Parses the result of a PAC script, such as `PROXY a:8080; SOCKS5 b; DIRECT`. Entries that are invalid or of another
 * kind are left out. If none is left, the result is `direct`.
 */
export const parsePac = (result: string): readonly Hop[] => {
  const hops = result.split(';').flatMap((entry): Hop[] => {
    const [word = '', address = ''] = entry.trim().split(/\s+/);
    if (word.toUpperCase() === 'DIRECT') return ['direct'];
    const scheme = PAC_TYPES[word.toUpperCase()];
    const proxy = scheme && proxyAt(`${scheme}://${address}`);
    return proxy ? [proxy] : [];
  });
  return hops.length > 0 ? hops : ['direct'];
};

// Hosts that are reached without a proxy, in a list as in NO_PROXY or in the proxy settings of Windows and Chromium.

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');
const bare = (host: string): string => host.replace(/^\[|\]$/g, '');
const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const isWithin = (host: string, range: string): boolean => {
  const [address = '', bits = ''] = range.split('/');
  const network = bare(address);
  const prefix = Number(bits);
  if (isIP(network) === 0 || isIP(host) === 0 || !/^\d+$/.test(bits) || prefix > (isIP(network) === 6 ? 128 : 32)) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(network, prefix, family(network));
  return list.check(host, family(host));
};

/** Whether `host` matches `pattern`, in which each `*` stands for any text. */
const isLike = (host: string, pattern: string): boolean => {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined || !host.startsWith(first)) return host === pattern;
  let at = first.length;
  for (const part of parts) {
    const found = host.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return host.endsWith(last) && host.length - last.length >= at;
};

const matches = (url: URL, entry: string): boolean => {
  const host = bare(url.hostname);
  if (entry === '<local>') return !host.includes('.') && isIP(host) === 0;
  if (entry.includes('/')) return isWithin(host, entry);
  const [, name = entry, port] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (port !== undefined && port !== portOf(url)) return false;
  const suffix = bare(name).replace(/^\*?\./, '');
  return suffix !== '' && (isLike(host, suffix) || (isIP(host) === 0 && isLike(host, `*.${suffix}`)));
};

/**
 * Whether `url` is reached without a proxy. An entry is a host with its subdomains (`example.com`, `.example.com` or
 * `*.example.com`), an IP address, a host or IP address with a port, a network (`10.0.0.0/8`), or `<local>` for names
 * without a dot. `*` stands for any text in a host: `192.168.*`.
 */
const isExcepted = (url: URL, entries: readonly string[]): boolean =>
  entries.some((entry) => matches(url, entry.trim().toLowerCase()));

/**
 * Whether `url` is reached without the proxy of the settings or the policy: it is excepted (`isExcepted`), or it is on
 * this machine and `<-loopback>` is not among the entries.
 */
export const isBypassed = (url: URL, entries: readonly string[]): boolean =>
  (isLoopback(url) && !entries.includes('<-loopback>')) || isExcepted(url, entries);

// The proxy that environment variables name. HTTP_PROXY in upper case counts as well, although curl ignores it.

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds the variable `name`, in lower case or else in upper case. Returns its value with the name that was found;
 * undefined if both are empty or missing.
 */
const find = (environment: Environment, name: string): readonly [name: string, value: string] | undefined => {
  for (const spelt of [name, name.toUpperCase()]) {
    const value = environment[spelt]?.trim();
    if (value) return [spelt, value];
  }
  return undefined;
};

/**
 * Returns the route to `url` according to HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; undefined if they name no
 * proxy. Unlike the proxies of the system, these variables apply to this machine as well.
 * @throws DeskError `network/proxy-address`, details `field`: the variable whose value is not an address
 */
export const environmentRoute = (url: URL, environment: Environment): Route | undefined => {
  const scheme = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const found = find(environment, scheme) ?? find(environment, 'all_proxy');
  if (!found) return undefined;
  const [name, address] = found;
  const [, exceptions = ''] = find(environment, 'no_proxy') ?? [];
  const source = `environment ${name}` as const;
  if (isExcepted(url, exceptions.split(/[\s,]+/))) return { hops: ['direct'], source };
  return { hops: [parseProxy(address, name)], source };
};
