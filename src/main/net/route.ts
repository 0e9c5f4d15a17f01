/**
 * Decides how each host is reached: directly, or through which proxies. The decisions apply to main and all workers,
 * whose pools request a route when they open a connection (connector.ts).
 */
import { attempt } from 'es-toolkit/util/attempt';
import type { ProxySettings } from '../../contract/preferences.ts';
import { steadyNow } from '../async/clock.ts';
import {
  type Environment,
  environmentRoute,
  type Hop,
  isBypassed,
  type ProxyLogin,
  parsePac,
  parseProxy,
  proxyName,
  type Route,
} from './proxy.ts';
import type { ProxySignIn } from './proxy-auth.ts';
import type { LoginSource, ProxyPasswords } from './proxy-passwords.ts';
import { MOST_ORIGINS } from './urls.ts';

export type Routing = LoginSource & {
  /** Returns the route to the host at `origin`, in the format of `URL.origin`. Errors: `network/proxy-address`. */
  readonly routeOf: (origin: string) => Promise<Route>;
  /**
   * Makes the proxy with this name come after all others for a few minutes. To be called when the proxy could not be
   * reached.
   */
  readonly unreachable: (proxy: string) => void;
  readonly onProxySignIn?: (proxy: string, signIn: ProxySignIn) => void;
};

type Routes = Routing & {
  /**
   * Discards the cached proxies of the system, forgets which proxies were unreachable, and withholds each login until
   * a proxy requests it. To be called when the network or a setting has changed.
   */
  readonly forget: () => void;
};

type RoutesOptions = {
  readonly settings: () => ProxySettings;
  readonly isManaged?: boolean;
  readonly environment: Environment;
  /**
   * Returns the system's proxies for an address, in the format of a PAC script. Absent: the system cannot be queried.
   */
  readonly resolveProxy?: ((url: string) => Promise<string>) | undefined;
  /**
   * Whether `url` is that of the app's own sample service. That service runs on this machine, where no proxy can reach
   * it.
   */
  readonly isOwn?: (url: URL) => boolean;
  readonly passwords: Pick<ProxyPasswords, 'known' | 'next' | 'isRejected' | 'trials' | 'withholdAll'>;
  readonly now?: () => number;
};

const ROUTE_MS = 30_000;
const DEMOTED_MS = 5 * 60_000;

export const createRoutes = (options: RoutesOptions): Routes => {
  const { settings, isManaged = false, environment, resolveProxy } = options;
  const { isOwn = () => false, passwords, now = steadyNow } = options;
  const knownRoutes = new Map<string, { readonly hops: Promise<readonly Hop[]>; readonly untilMs: number }>();
  const demoted = new Map<string, number>();
  const ofAddresses = new Map<string, ProxyLogin>();

  const askSystem = (origin: string): Promise<readonly Hop[]> => {
    const known = knownRoutes.get(origin);
    if (known && known.untilMs > now()) return known.hops;
    // If the query fails, the system counts as one without a proxy.
    const hops = (resolveProxy?.(`${origin}/`) ?? Promise.resolve('')).then(parsePac, () => parsePac(''));
    if (knownRoutes.size >= MOST_ORIGINS) knownRoutes.clear();
    knownRoutes.set(origin, { hops, untilMs: now() + ROUTE_MS });
    return hops;
  };

  const decide = async (url: URL): Promise<Route> => {
    const { mode, address = '', exceptions } = settings();
    if (isOwn(url)) return { hops: ['direct'], source: 'nothing' };
    if (mode !== 'system') {
      const isDirect = mode === 'none' || isBypassed(url, exceptions);
      const hops = [isDirect ? 'direct' : parseProxy(address, 'proxy')] as const;
      return { hops, source: isManaged ? 'policy' : 'settings' };
    }
    const hops = await askSystem(url.origin);
    const proxies = hops.flatMap((hop) => (hop === 'direct' ? [] : proxyName(hop)));
    if (proxies.length > 0) return variableBefore(proxies, url, environment) ?? { hops, source: 'system' };
    return environmentRoute(url, environment) ?? { hops, source: resolveProxy ? 'system' : 'nothing' };
  };

  const isDemoted = (hop: Hop): boolean => hop !== 'direct' && (demoted.get(proxyName(hop)) ?? 0) > now();

  /**
   * Adds to `hop` the login that is to be sent before the proxy requests one: the login in use or, for a SOCKS proxy
   * without one, the login in its address unless it was rejected. A SOCKS 5 proxy chooses the authentication method
   * before a login is sent. Other proxies get the login in their address only when they request a login.
   */
  const withLogin = (hop: Hop): Hop => {
    if (hop === 'direct') return hop;
    const { login: ofAddress, ...proxy } = hop;
    const name = proxyName(hop);
    if (ofAddress) ofAddresses.set(name, ofAddress);
    const asksFirst = hop.type.startsWith('socks');
    const atOnce = asksFirst && ofAddress && !passwords.isRejected(name, ofAddress) ? ofAddress : undefined;
    const login = passwords.known(name) ?? atOnce;
    return login ? { ...proxy, login } : proxy;
  };

  return {
    routeOf: async (origin) => {
      const { hops, source } = await decide(new URL(origin));
      const inOrder = [...hops.filter((hop) => !isDemoted(hop)), ...hops.filter(isDemoted)];
      return { hops: inOrder.map(withLogin), source };
    },
    unreachable: (proxy) => demoted.set(proxy, now() + DEMOTED_MS),
    nextLogin: (proxy, inClear) => passwords.next(proxy, inClear, ofAddresses.get(proxy)),
    trials: passwords.trials,
    forget: () => {
      knownRoutes.clear();
      demoted.clear();
      passwords.withholdAll();
    },
  };
};

/**
 * Returns the route of an environment variable if the variable takes precedence over `proxies`, the system's proxies;
 * otherwise undefined. A variable takes precedence if its address has a login, or names one of `proxies`. On Linux,
 * Chromium reads the variables, presents them as the system's proxies, and drops the login.
 */
const variableBefore = (proxies: readonly string[], url: URL, environment: Environment): Route | undefined => {
  const counts = (hop: Hop): boolean =>
    hop !== 'direct' && (hop.login !== undefined || proxies.includes(proxyName(hop)));
  // If the system has proxies, a variable whose value is not a valid address is ignored, as by Chromium.
  const [, route] = attempt(() => environmentRoute(url, environment));
  return route?.hops.some(counts) ? route : undefined;
};
