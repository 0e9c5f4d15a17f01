/** How the app reaches every host: routes, trust and the pool of main. The engine's thread has a pool of its own. */
import type { Dispatcher } from 'undici';
import type { Network } from '../../../contract/office-settings.ts';
import type { WantedPassword } from '../../../contract/proxy-password.ts';
import type { Host } from '../../hosts/host.ts';
import { createApiAgent } from '../../net/agents.ts';
import { createProxyPasswords, type ProxyPasswords } from '../../net/proxy-passwords.ts';
import { createRenewableAgent } from '../../net/renewable.ts';
import { createRoutes, type Routing } from '../../net/route.ts';
import { isLoopback } from '../../net/secure-url.ts';
import { createTrust, type TrustFiles } from '../../net/trust.ts';

export type Ways = {
  /** For the service and the token endpoint. */
  readonly dispatcher: Dispatcher;
  readonly routing: Routing;
  readonly passwords: ProxyPasswords;
  readonly trustFiles: () => TrustFiles;
  /** The network or a setting has changed: asks for all routes anew, and opens new connections. */
  readonly renew: () => void;
  readonly destroy: () => Promise<void>;
};

type WaysOptions = {
  readonly host: Pick<Host, 'environment' | 'resolveProxy' | 'keychain'>;
  readonly settings: () => Network;
  /** The port of the app's own sample service. */
  readonly samplePort: () => number | undefined;
  /** A proxy requires a password that nobody knows. */
  readonly onWanted: (wanted: WantedPassword) => void;
};

/** Nothing is asked or opened before the first request. */
export const createWays = ({ host, settings, samplePort, onWanted }: WaysOptions): Ways => {
  const { environment = {}, resolveProxy, keychain } = host;
  const passwords = createProxyPasswords({ keychain, onWanted });
  const routes = createRoutes({
    settings: () => settings().proxy,
    environment,
    resolveProxy,
    passwords,
    isOwn: (url) => isLoopback(url) && url.port === String(samplePort() ?? ''),
  });
  const trustFiles = (): TrustFiles => ({ caFile: settings().caFile, extraFile: environment.NODE_EXTRA_CA_CERTS });
  const agent = createRenewableAgent(() => createApiAgent({ routing: routes, trust: createTrust(trustFiles()) }));
  return {
    dispatcher: agent.dispatcher,
    routing: routes,
    passwords,
    trustFiles,
    renew: () => {
      routes.forget();
      agent.renew();
    },
    destroy: agent.destroy,
  };
};
