/**
 * Creates a host for desks without a window. Its user consents to everything, and its engine does not wait between
 * attempts.
 */
import type { Keychain } from '../../../src/main/auth/keychain.ts';
import { createLoopbackRedirect } from '../../../src/main/auth/redirect.ts';
import type { Host } from '../../../src/main/core/host.ts';
import { redirectWords } from '../../../src/main/hosts/shared/host-options.ts';
import { spawnSample } from '../../../src/main/hosts/shared/sample-service.ts';
import { openConfSettings } from '../../../src/main/settings/conf-settings.ts';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import type { Speech } from '../../../src/words/speech.ts';
import { threads, workerWithoutBackoff } from './threads.ts';

type TestHost = {
  readonly home: string;
  readonly sandbox?: Pick<Sandbox, 'baseUrl' | 'authUrl' | 'clientId'> | undefined;
  /** Absent: tokens are stored in memory. */
  readonly keychain?: Keychain | undefined;
};

export const createTestHost = (speech: Speech<'host'>, { home, sandbox, keychain }: TestHost): Host => ({
  home,
  version: '1.2.3',
  ...(keychain && { keychain }),
  openSettings: openConfSettings,
  policy: {},
  connectionLayers: sandbox ? [sandbox] : [],
  redirect: (redirectUri) => createLoopbackRedirect({ redirectUri, words: redirectWords(() => speech) }),
  openExternal: async (url) => void (await (await fetch(url)).text()),
  pickFolder: async () => undefined,
  notify: () => {},
  keepAwake: () => () => {},
  ...threads,
  uploadWorker: workerWithoutBackoff,
  startSample: spawnSample,
});

/**
 * Creates a keychain in memory. Desks that share it simulate runs of the app on one machine. `onChange`: called with
 * all secrets after each change.
 */
export const createTestKeychain = (
  secrets = new Map<string, string>(),
  onChange: (secrets: ReadonlyMap<string, string>) => void = () => {},
): Keychain => ({
  get: async (account) => secrets.get(account) ?? null,
  set: async (account, secret) => onChange(secrets.set(account, secret)),
  delete: async (account) => {
    secrets.delete(account);
    onChange(secrets);
  },
});
