/** What a terminal gives to the desk. */
import open from 'open';
import manifest from '../../../package.json' with { type: 'json' };
import { DeskError } from '../../contract/errors.ts';
import { createKeytarKeychain } from '../auth/keytar-keychain.ts';
import { createLoopbackRedirect } from '../auth/loopback-redirect.ts';
import type { Host } from '../host.ts';
import { openConfSettings } from '../settings/conf-settings.ts';
import { environmentLayer } from '../settings/resolve-connection.ts';
import { spawnSample } from '../spawn-sample.ts';
import { type CommonOptions, type Environment, openHome, optionsLayer } from './cli-options.ts';
import type { Output } from './output.ts';

export const { version } = manifest;

export const createCliHost = (options: CommonOptions, env: Environment, output: Output): Host => {
  const store = options.tokenStore ?? env.INSPECTION_DESK_TOKEN_STORE ?? 'keychain';
  return {
    home: openHome(options, env),
    version,
    ...(store === 'keychain' && { keychain: createKeytarKeychain() }),
    openSettings: openConfSettings,
    connectionLayers: [optionsLayer(options), environmentLayer(env)],
    // Only the desktop app can be reached by the custom scheme; here the browser comes back to this process.
    redirect: (uri) => createLoopbackRedirect({ redirectUri: uri?.startsWith('http:') ? uri : undefined }),
    openExternal: (url) => (options.browser ? openBrowser(url, output) : askToOpen(url, output)),
    pickFolder: async () => undefined,
    notify: () => {},
    keepAwake: () => () => {},
    uploadWorker: new URL('../uploads/worker/main.ts', import.meta.url),
    hashThread: new URL('../uploads/hashing/main.ts', import.meta.url),
    readThread: new URL('../uploads/reading/main.ts', import.meta.url),
    startSample: spawnSample,
  };
};

const askToOpen = async (url: string, output: Output): Promise<void> => {
  if (output.json) output.event({ type: 'authorize', url });
  else output.say(`To sign in, open this address in a browser:\n${url}`);
};

const openBrowser = async (url: string, output: Output): Promise<void> => {
  output.say('Sign in in the browser that opens now (with --no-browser the address is printed instead).');
  try {
    await open(url);
  } catch (cause) {
    throw new DeskError('auth/browser', 'the browser cannot be opened', { cause });
  }
};
