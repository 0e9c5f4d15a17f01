import { expect, test } from 'vitest';
import { createKeytarKeychain } from './keychain.ts';

const never = () => new Promise<never>(() => {});
const refuses = () => Promise.reject(new Error('The name org.freedesktop.secrets was not provided'));
const answers = { getPassword: async () => 'secret', setPassword: async () => {}, deletePassword: async () => true };
const hangs = { getPassword: never, setPassword: never, deletePassword: never };
const refusing = { getPassword: refuses, setPassword: refuses, deletePassword: refuses };

test('answers what keytar answers', async () => {
  const keychain = createKeytarKeychain({ load: async () => answers });
  expect(await keychain.get('account')).toBe('secret');
  expect(await keychain.delete('account')).toBeUndefined();
});

test.each([
  ['missing', () => Promise.reject(new Error('libsecret-1.so.0: cannot open shared object file'))],
  ['refused', async () => refusing],
  ['timeout', async () => hangs],
])('%s', async (reason, load) => {
  const keychain = createKeytarKeychain({ timeoutMs: 1, load });
  for (const asked of [keychain.get('account'), keychain.set('account', 'secret'), keychain.delete('account')]) {
    await expect(asked).rejects.toMatchObject({ code: 'keychain/unavailable', details: { reason } });
  }
});
