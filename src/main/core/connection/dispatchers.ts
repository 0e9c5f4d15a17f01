/** The connection pools of the main process, with their routes and trust. The engine's worker has separate pools. */
import { isLoopback } from '../../../contract/connection.ts';
import { createApiAgent, createRenewableAgent, createSigningAgent } from '../../net/connector.ts';
import { probeHost } from '../../net/host-health.ts';
import { proxyName } from '../../net/proxy.ts';
import { createProxyPasswords } from '../../net/proxy-passwords.ts';
import { createRoutes, type Routing } from '../../net/route.ts';
import { createTrust, ignoreUncheckedTls, isUncheckedTls, type TrustFiles } from '../../net/trust.ts';
import { MOST_ORIGINS } from '../../net/urls.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { Host } from '../host.ts';
import type { Log } from '../log/log.ts';
import type { State } from '../state/state.ts';

type DispatchersOptions = {
  readonly host: Pick<Host, 'environment' | 'resolveProxy' | 'keychain'>;
  readonly settings: SettingsStore;
  readonly state: Pick<State, 'emit'>;
  readonly log: Pick<Log, 'write'>;
};

export type Dispatchers = ReturnType<typeof createDispatchers>;

/** Creates the routes and the pools. Routes are resolved, and connections opened, at the first request. */
export const createDispatchers = ({ host, settings, state, log }: DispatchersOptions) => {
  const { environment = {}, resolveProxy, keychain } = host;
  const uncheckedTls = isUncheckedTls(environment);
  ignoreUncheckedTls();
  const closing = new AbortController();
  const passwords = createProxyPasswords({
    keychain,
    onWanted: (wantedPassword) => state.emit({ type: 'wantedPassword', value: wantedPassword }),
  });
  const routes = createRoutes({
    settings: () => settings.get().network.proxy,
    isManaged: settings.managed.includes('network.proxy'),
    environment,
    resolveProxy,
    passwords,
    // Requests to the app's sample service need no proxy.
    isOwn: (url) => isLoopback(url) && url.port === String(settings.get().sample?.port ?? ''),
  });
  const lastRoutes = new Map<string, string>();
  const routing: Routing = {
    ...routes,
    routeOf: async (origin) => {
      const route = await routes.routeOf(origin);
      const by = route.hops.map((hop) => (hop === 'direct' ? hop : proxyName(hop)));
      const text = [route.source, ...by].join(' ');
      // Further origins are not logged, so that they do not push everything else out of the log.
      const isFollowed = lastRoutes.has(origin) || lastRoutes.size < MOST_ORIGINS;
      if (!isFollowed || lastRoutes.get(origin) === text) return route;
      log.write('route', { origin, by, source: route.source });
      lastRoutes.set(origin, text);
      return route;
    },
  };
  const trustFiles = (): TrustFiles => ({
    caFile: settings.get().network.caFile,
    extraFile: environment.NODE_EXTRA_CA_CERTS,
  });
  const connector = () => ({ routing, trust: createTrust(trustFiles()), closing: closing.signal });
  const agent = createRenewableAgent(() => createApiAgent(connector()));
  const signingAgent = createRenewableAgent(() => createSigningAgent(connector()));
  return {
    /** Sends the requests of the main process, except for probes and those of `uploadDispatcher`. */
    dispatcher: agent.dispatcher,
    /** Sends the service calls of uploads over separate connections, so that other calls do not wait for them. */
    uploadDispatcher: signingAgent.dispatcher,
    routing,
    passwords,
    trustFiles,
    /**
     * Sends a probe to `origin` over a new connection, and rejects if that fails. Existing connections are no proof: a
     * proxy that refuses new connections does not end those that it accepted earlier.
     */
    probe: async (origin: string, signal: AbortSignal): Promise<void> => {
      const single = createApiAgent(connector());
      await probeHost(single, origin, signal).finally(() => single.destroy());
    },
    uncheckedTls,
    /**
     * Discards all routes and replaces the pools, so that later requests use new routes and connections. To be called
     * when the network or its settings have changed.
     */
    renew: (): void => {
      routes.forget();
      agent.renew();
      signingAgent.renew();
    },
    destroy: async (): Promise<void> => {
      closing.abort();
      await Promise.all([agent.destroy(), signingAgent.destroy()]);
    },
  };
};
