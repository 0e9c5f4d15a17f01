/** The desk's host on Node with an ordinary browser. */

import manifest from '../../../../package.json' with { type: 'json' };
import { createHostSpeech } from '../../../words/speech/host-speech.ts';
import type { Keychain } from '../../auth/keychain.ts';
import { createKeytarKeychain } from '../../auth/keytar-keychain.ts';
import { createLoopbackRedirect } from '../../auth/loopback-redirect.ts';
import { openConfSettings } from '../../settings/conf-settings.ts';
import { readPolicy } from '../../settings/policy/read-policy.ts';
import { environmentLayer } from '../../settings/resolve-connection.ts';
import type { Host } from '../host.ts';
import type { HostOptions } from '../shared/host-options.ts';
import { redirectWords } from '../shared/redirect-words.ts';
import { spawnSample } from '../shared/spawn-sample.ts';

/** The preview as a host whose data is in `home`. `page` is what only its page can do; `say` is for the person at the terminal. */
export const createPreviewHost = async (
  home: string,
  options: HostOptions,
  page: Pick<Host, 'openExternal' | 'copyText' | 'pickSavePath' | 'handOver'>,
  say: (line: string) => void,
): Promise<Host> => {
  const keychain = options.tokenStore === 'keychain' ? await usableKeychain(say) : undefined;
  const speech = await createHostSpeech('en');
  return {
    home,
    version: manifest.version,
    ...(keychain === undefined ? {} : { keychain }),
    openSettings: openConfSettings,
    policy: await readPolicy(),
    environment: process.env,
    connectionLayers: [options.connection, environmentLayer(process.env)],
    // A browser page cannot be reached by the custom scheme.
    redirect: (uri) =>
      createLoopbackRedirect({
        redirectUri: uri?.startsWith('http:') ? uri : undefined,
        words: redirectWords(() => speech),
      }),
    ...page,
    // The page has a picker of its own and hands over files, not a path.
    pickFolder: () => Promise.resolve(undefined),
    notify: () => {},
    keepAwake: () => () => {},
    uploadWorker: new URL('../../uploads/engine/engine-worker.ts', import.meta.url),
    hashThread: new URL('../../uploads/source/hash-worker.ts', import.meta.url),
    readThread: new URL('../../uploads/source/read-worker.ts', import.meta.url),
    searchWorker: new URL('../../uploads/find/find-worker.ts', import.meta.url),
    draftWorker: new URL('../../core/drafts/draft-worker.ts', import.meta.url),
    startSample: spawnSample,
  };
};

/** The preview is for development: unlike the desktop it runs without a keychain. */
const usableKeychain = async (say: (line: string) => void): Promise<Keychain | undefined> => {
  const keychain = createKeytarKeychain();
  try {
    await keychain.get('is there one');
    return keychain;
  } catch {
    say('No keychain available: your sign-in ends with the preview.');
    return undefined;
  }
};
