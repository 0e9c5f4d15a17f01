/** How the app reaches every host: routes, trust and the pools of main. The engine's thread has a pool of its own. */
import type { Dispatcher } from 'undici';
import type { WantedPassword } from '../../../contract/connection.ts';
import type { Network } from '../../../contract/preferences.ts';
import { createApiAgent, createRenewableAgent, createSigningAgent } from '../../net/connector.ts';
import { proxyName } from '../../net/proxy.ts';
import { createProxyPasswords, type ProxyPasswords } from '../../net/proxy-passwords.ts';
import { createRoutes, type Routing } from '../../net/route.ts';
import { createTrust, ignoreUncheckedTls, isUncheckedTls, type TrustFiles } from '../../net/trust.ts';
import { isLoopback } from '../../net/urls.ts';
import type { Host } from '../host.ts';

export type Ways = {
  /** For the service and the token endpoint. */
  readonly dispatcher: Dispatcher;
  /** For what uploads ask the service: connections of their own, so that nothing else waits behind them. */
  readonly uploadDispatcher: Dispatcher;
  readonly routing: Routing;
  readonly passwords: ProxyPasswords;
  readonly trustFiles: () => TrustFiles;
  /** Whether the environment asked not to check certificates, which is ignored. */
  readonly uncheckedTls: boolean;
  /** The network or a setting has changed: requests all routes again and opens new connections. */
  readonly renew: () => void;
  readonly destroy: () => Promise<void>;
};

type WaysOptions = {
  readonly host: Pick<Host, 'environment' | 'resolveProxy' | 'keychain'>;
  readonly settings: () => Network;
  /** Whether the organisation has set the proxy. */
  readonly isManaged: boolean;
  /** The port of the app's own sample service. */
  readonly samplePort: () => number | undefined;
  /** A proxy requires a password that nobody knows. */
  readonly onWanted: (wanted: WantedPassword) => void;
  /** Called when a host is to be reached in another way than before: directly, or `by` these proxies. */
  readonly onRoute: (origin: string, by: readonly string[], source: string) => void;
};

/** Nothing is asked or opened before the first request. */
export const createWays = ({ host, settings, isManaged, samplePort, onWanted, onRoute }: WaysOptions): Ways => {
  const { environment = {}, resolveProxy, keychain } = host;
  const uncheckedTls = isUncheckedTls(environment);
  ignoreUncheckedTls();
  const closing = new AbortController();
  const passwords = createProxyPasswords({ keychain, onWanted });
  const routes = createRoutes({
    settings: () => settings().proxy,
    isManaged,
    environment,
    resolveProxy,
    passwords,
    isOwn: (url) => isLoopback(url) && url.port === String(samplePort() ?? ''),
  });
  const lastRoutes = new Map<string, string>();
  const routing: Routing = {
    ...routes,
    routeOf: async (origin) => {
      const route = await routes.routeOf(origin);
      const by = route.hops.map((hop) => (hop === 'direct' ? hop : proxyName(hop)));
      const text = [route.source, ...by].join(' ');
      if (lastRoutes.get(origin) !== text) onRoute(origin, by, route.source);
      lastRoutes.set(origin, text);
      return route;
    },
  };
  const trustFiles = (): TrustFiles => ({ caFile: settings().caFile, extraFile: environment.NODE_EXTRA_CA_CERTS });
  const connector = () => ({ routing, trust: createTrust(trustFiles()), closing: closing.signal });
  const agent = createRenewableAgent(() => createApiAgent(connector()));
  const signingAgent = createRenewableAgent(() => createSigningAgent(connector()));
  return {
    dispatcher: agent.dispatcher,
    uploadDispatcher: signingAgent.dispatcher,
    routing,
    passwords,
    trustFiles,
    uncheckedTls,
    renew: () => {
      routes.forget();
      agent.renew();
      signingAgent.renew();
    },
    destroy: async () => {
      closing.abort();
      await Promise.all([agent.destroy(), signingAgent.destroy()]);
    },
  };
};
