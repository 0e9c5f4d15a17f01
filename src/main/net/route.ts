/**
 * How each host is reached: directly or through which proxies. The one place that decides it, for every request of every
 * thread. A pool asks when it opens a connection (connector.ts).
 */
import type { ProxySettings } from '../../contract/office-settings.ts';
import { isExceptedByHand } from './bypass.ts';
import { type Environment, environmentRoute } from './environment-proxy.ts';
import { type Hop, type ProxyLogin, parsePac, parseProxy, proxyName, type Route } from './proxy.ts';

/** What happened at a proxy with this name. `wrong`: the password that it was given is not the right one. */
export type ProxySeen = { readonly proxy: string } & (
  | { readonly type: 'unreachable' }
  | { readonly type: 'wants-password'; readonly wrong: boolean }
);

export type Routing = {
  /** The ways to the host at `origin`, as `URL.origin` has it. Errors: `input/invalid` for an address that is none. */
  readonly routeOf: (origin: string) => Promise<Route>;
  /** Called with what a connection met at a proxy. */
  readonly seen: (seen: ProxySeen) => void;
};

export type Routes = Routing & {
  /** Asks the system anew, and tries every proxy again: the network or a setting has changed. */
  readonly forget: () => void;
};

type RoutesOptions = {
  readonly settings: () => ProxySettings;
  readonly environment: Environment;
  /** The system's answer for an address, as a PAC script gives it. Absent: this host cannot ask the system. */
  readonly resolveProxy?: ((url: string) => Promise<string>) | undefined;
  /** The app's own service on this machine, which no proxy knows. */
  readonly isOwn?: (url: URL) => boolean;
  /** The password for the proxy with this name. */
  readonly loginOf?: (proxy: string) => Promise<ProxyLogin | undefined>;
  readonly onWantsPassword?: (seen: Extract<ProxySeen, { type: 'wants-password' }>) => void;
  readonly now?: () => number;
};

/** How long an answer of the system is used. */
const ANSWER_MS = 30_000;
/** How long a proxy that could not be reached is tried after all others. */
const DEMOTED_MS = 5 * 60_000;

/** Routes that know nothing yet. */
export const createRoutes = (options: RoutesOptions): Routes => {
  const { settings, environment, resolveProxy, isOwn = () => false, loginOf, now = Date.now } = options;
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

  return {
    routeOf: async (origin) => {
      const { hops, source } = await decide(new URL(origin));
      const inOrder = [...hops.filter((hop) => !isDemoted(hop)), ...hops.filter(isDemoted)];
      const known = inOrder.map(async (hop): Promise<Hop> => {
        if (hop === 'direct' || hop.login) return hop;
        const login = await loginOf?.(proxyName(hop));
        return login ? { ...hop, login } : hop;
      });
      return { hops: await Promise.all(known), source };
    },
    seen: (seen) => {
      if (seen.type === 'unreachable') demoted.set(seen.proxy, now() + DEMOTED_MS);
      else options.onWantsPassword?.(seen);
    },
    forget: () => {
      answers.clear();
      demoted.clear();
    },
  };
};
