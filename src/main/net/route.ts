/**
 * How each host is reached: directly or through which proxies. The one place that decides it, for every request of every
 * thread. A pool asks when it opens a connection (connector.ts).
 */
import type { ProxySettings } from '../../contract/office-settings.ts';
import { isExceptedByHand } from './bypass.ts';
import { type Environment, environmentRoute } from './environment-proxy.ts';
import { createLoginTrials, type LoginTrials } from './login-trials.ts';
import { type Hop, parsePac, parseProxy, proxyName, type Route } from './proxy.ts';
import type { ProxyPasswords } from './proxy-passwords.ts';

export type Routing = {
  /** The ways to the host at `origin`, as `URL.origin` has it. Errors: `network/proxy-address`. */
  readonly routeOf: (origin: string) => Promise<Route>;
  /** The proxy with this name could not be reached. */
  readonly unreachable: (proxy: string) => void;
  /** As `ProxyPasswords.next`. */
  readonly nextLogin: ProxyPasswords['next'];
  /** Those of the whole app. */
  readonly trials: LoginTrials;
};

export type Routes = Routing & {
  /** Asks the system and tries every proxy again: the network or a setting has changed. */
  readonly forget: () => void;
};

export type RoutesOptions = {
  readonly settings: () => ProxySettings;
  readonly environment: Environment;
  /** The system's answer for an address, as a PAC script gives it. Absent: this host cannot ask the system. */
  readonly resolveProxy?: ((url: string) => Promise<string>) | undefined;
  /** The app's own service on this machine, which no proxy knows. */
  readonly isOwn?: (url: URL) => boolean;
  readonly passwords: Pick<ProxyPasswords, 'known' | 'wasRejected' | 'next' | 'isRejected' | 'reject'>;
  readonly now?: () => number;
};

/** How long an answer of the system is used. */
const ANSWER_MS = 30_000;
/** How long a proxy that could not be reached is tried after all others. */
const DEMOTED_MS = 5 * 60_000;

/** Routes that know nothing yet. */
export const createRoutes = (options: RoutesOptions): Routes => {
  const { settings, environment, resolveProxy, isOwn = () => false, passwords, now = Date.now } = options;
  const answers = new Map<string, { readonly hops: Promise<readonly Hop[]>; readonly untilMs: number }>();
  const demoted = new Map<string, number>();

  const askSystem = (origin: string): Promise<readonly Hop[]> => {
    const known = answers.get(origin);
    if (known && known.untilMs > now()) return known.hops;
    // A system that cannot answer names no proxy.
    const hops = (resolveProxy?.(`${origin}/`) ?? Promise.resolve('')).then(parsePac, () => parsePac(''));
    answers.set(origin, { hops, untilMs: now() + ANSWER_MS });
    return hops;
  };

  const decide = async (url: URL): Promise<Route> => {
    const { mode, address = '', exceptions } = settings();
    if (isOwn(url)) return { hops: ['direct'], source: 'nothing' };
    if (mode === 'none') return { hops: ['direct'], source: 'settings' };
    if (mode === 'manual') {
      const isDirect = isExceptedByHand(url, exceptions);
      return { hops: [isDirect ? 'direct' : parseProxy(address, 'proxy')], source: 'settings' };
    }
    // What somebody set for this program counts where the system has nothing to say.
    const hops = await askSystem(url.origin);
    if (hops.some((hop) => hop !== 'direct')) return { hops, source: 'system' };
    const source = resolveProxy ? 'system' : 'nothing';
    return environmentRoute(url, environment) ?? { hops, source };
  };

  const isDemoted = (hop: Hop): boolean => hop !== 'direct' && (demoted.get(proxyName(hop)) ?? 0) > now();

  const withLogin = (hop: Hop): Hop => {
    if (hop === 'direct') return hop;
    const { login: ofAddress, ...proxy } = hop;
    const login = passwords.known(proxyName(hop), ofAddress);
    if (login) return { ...proxy, login };
    return passwords.wasRejected(proxyName(hop)) ? { ...proxy, wasRejected: true } : proxy;
  };

  return {
    routeOf: async (origin) => {
      const { hops, source } = await decide(new URL(origin));
      const inOrder = [...hops.filter((hop) => !isDemoted(hop)), ...hops.filter(isDemoted)];
      return { hops: inOrder.map(withLogin), source };
    },
    unreachable: (proxy) => demoted.set(proxy, now() + DEMOTED_MS),
    nextLogin: passwords.next,
    trials: createLoginTrials(passwords),
    forget: () => {
      answers.clear();
      demoted.clear();
    },
  };
};
