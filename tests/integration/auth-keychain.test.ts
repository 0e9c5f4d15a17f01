/**
 * Tests the keychain with a real Secret Service, which build machines lack by default:
 *
 *     dbus-run-session -- bash -c 'echo pw | gnome-keyring-daemon --unlock --components=secrets;
 *       INSPECTION_DESK_TEST_KEYCHAIN=1 npx vitest run tests/integration/auth-keychain.test.ts'
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKeytarKeychain } from '../../src/main/auth/keychain.ts';
import { createSealedVault } from '../../src/main/auth/vault.ts';

const { DBUS_SESSION_BUS_ADDRESS, INSPECTION_DESK_TEST_KEYCHAIN } = process.env;
const available = DBUS_SESSION_BUS_ADDRESS !== undefined && INSPECTION_DESK_TEST_KEYCHAIN === '1';

const connectionId = 'test-of-the-keychain';
const tokens = {
  accessToken: 'an-access-token-in-clear',
  refreshToken: 'a-refresh-token-in-clear',
  expiresAt: 2,
  refreshAt: 1,
};

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keychain-'));
});
afterEach(() => rmSync(home, { recursive: true }));

describe.skipIf(!available)('with a Secret Service (INSPECTION_DESK_TEST_KEYCHAIN=1 and a session bus)', () => {
  const keychain = createKeytarKeychain();
  const open = () => createSealedVault({ home, keychain, connectionId });

  test('stores, replaces and deletes a secret', async () => {
    const account = 'test-account';
    await keychain.delete(account);
    expect(await keychain.get(account)).toBeNull();
    await keychain.set(account, 'first');
    await keychain.set(account, 'second');
    expect(await createKeytarKeychain().get(account)).toBe('second');
    await keychain.delete(account);
    expect(await keychain.get(account)).toBeNull();
  });

  test('tokens survive a restart and are never stored in plain text', async () => {
    await open().prepare();
    await open().save(tokens);
    expect(await open().load()).toEqual(tokens);
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name).sort()).toEqual(['home.id', `${connectionId}.sealed`]);
    for (const { parentPath, name } of files) {
      const content = readFileSync(join(parentPath, name));
      for (const token of [tokens.accessToken, tokens.refreshToken]) {
        expect(content.includes(token)).toBe(false);
        expect(content.includes(Buffer.from(token).toString('base64').slice(0, 16))).toBe(false);
      }
    }
    const account = `tokens-${connectionId}-${readFileSync(join(home, 'tokens', 'home.id'), 'utf8')}`;
    expect(await keychain.get(account)).not.toBeNull();
    await open().erase();
    expect(await open().load()).toBeUndefined();
    expect(await keychain.get(account)).toBeNull();
  });
});
