import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import type { Keychain } from './keychain.ts';
import { tokenSet } from './testing/session.ts';
import { createSealedVault } from './vault.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vault-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** Creates a keychain in memory. */
const createKeychain = (secrets = new Map<string, string>()): Keychain & { readonly secrets: Map<string, string> } => ({
  secrets,
  get: async (account) => secrets.get(account) ?? null,
  set: async (account, secret) => void secrets.set(account, secret),
  delete: async (account) => void secrets.delete(account),
});

const unavailable = new DeskError('keychain/unavailable', 'timeout', { details: { reason: 'timeout' } });
const noKeychain: Keychain = {
  get: () => Promise.reject(unavailable),
  set: () => Promise.reject(unavailable),
  delete: () => Promise.reject(unavailable),
};

const tokens = tokenSet('1', 1_000);
const folder = () => join(home, 'tokens');
const stored = () => readdirSync(folder()).filter((name) => name !== 'home.id');
const accountOf = (connectionId: string) => `tokens-${connectionId}-${readFileSync(join(folder(), 'home.id'), 'utf8')}`;
const file = (name = 'k1') => join(folder(), `${name}.sealed`);
const open = (keychain: Keychain, connectionId = 'k1') => createSealedVault({ home, keychain, connectionId });

test('an empty vault does not ask the keychain', async () => {
  expect(await open(noKeychain).load()).toBeUndefined();
});

test('loads what was saved, in the next run too', async () => {
  const keychain = createKeychain();
  const vault = open(keychain);
  await vault.prepare();
  await vault.save(tokenSet('0', 0));
  await vault.save(tokens);
  expect(await open(keychain).load()).toEqual(tokens);
  expect(stored()).toEqual(['k1.sealed']);
  expect(keychain.secrets.size).toBe(1);
  expect(Buffer.from(keychain.secrets.get(accountOf('k1')) ?? '', 'base64')).toHaveLength(32);
});

test('the file contains no token and only its owner can read it', async () => {
  await open(createKeychain()).save(tokens);
  const content = readFileSync(file()).toString('latin1');
  expect(content).not.toMatch(/access|refresh/);
  if (process.platform !== 'win32') expect(statSync(file()).mode & 0o077).toBe(0);
});

test.each([
  ['damaged', (content: Buffer) => content.fill(0, 40, 41), undefined],
  ['empty', () => Buffer.alloc(0), undefined],
  ['of another key', (content: Buffer) => content, Buffer.alloc(32).toString('base64')],
  ['without its key', (content: Buffer) => content, ''],
])('moves a file aside that is %s, and removes an earlier one', async (_, change, key) => {
  const keychain = createKeychain();
  await open(keychain).save(tokens);
  writeFileSync(`${file()}.damaged-1`, 'earlier');
  writeFileSync(file(), change(readFileSync(file())));
  if (key !== undefined) keychain.secrets.set(accountOf('k1'), key);
  await expect(open(keychain).load()).rejects.toMatchObject({
    code: 'vault/unreadable',
    details: { file: expect.stringMatching(/^k1\.sealed\.damaged-/) },
  });
  expect(stored()).toEqual([expect.stringMatching(/^k1\.sealed\.damaged-\d{13}$/)]);
  await open(keychain).save(tokens);
  expect(await open(keychain).load()).toEqual(tokens);
});

test('a file whose key the keychain does not return stays as it is, and opens once the keychain is unlocked', async () => {
  const keychain = createKeychain();
  await open(keychain).save(tokens);
  const locked: Keychain = { ...keychain, get: async () => null };
  await expect(open(locked).load()).rejects.toMatchObject({
    code: 'vault/unreadable',
    details: { file: 'k1.sealed' },
  });
  expect(await open(keychain).load()).toEqual(tokens);
});

test('a file renamed to another connection does not open', async () => {
  const keychain = createKeychain();
  await open(keychain, 'k1').save(tokens);
  writeFileSync(file('k2'), readFileSync(file('k1')));
  keychain.secrets.set(accountOf('k2'), keychain.secrets.get(accountOf('k1')) ?? '');
  await expect(open(keychain, 'k2').load()).rejects.toMatchObject({ code: 'vault/unreadable' });
});

test('without a keychain, stores nothing and loses nothing', async () => {
  await open(createKeychain()).save(tokens);
  await expect(open(noKeychain).prepare()).rejects.toBe(unavailable);
  await expect(open(noKeychain).save(tokens)).rejects.toBe(unavailable);
  await expect(open(noKeychain).load()).rejects.toBe(unavailable);
  expect(stored()).toEqual(['k1.sealed']);
});

test('erasing removes the file and the key, even without the keychain', async () => {
  const keychain = createKeychain();
  await open(keychain).save(tokens);
  await open(keychain).erase();
  expect(stored()).toEqual([]);
  expect(keychain.secrets.size).toBe(0);
  await open(keychain).save(tokens);
  await open(noKeychain).erase();
  expect(stored()).toEqual([]);
});

test('data directories share the keychain, but no key: erasing the session of one leaves those of others', async () => {
  const keychain = createKeychain();
  const other = createSealedVault({ home: join(home, 'other'), keychain, connectionId: 'k1' });
  await Promise.all([open(keychain).save(tokens), other.save(tokenSet('2', 2_000))]);
  await open(keychain).erase();
  expect(await other.load()).toEqual(tokenSet('2', 2_000));
});

test('reports a folder that cannot be created', async () => {
  writeFileSync(folder(), 'a file in its place');
  await expect(open(createKeychain()).save(tokens)).rejects.toMatchObject({ code: 'data/unwritable' });
});

test('does not open with one changed bit anywhere, or a missing end', async () => {
  const keychain = createKeychain();
  await open(keychain).save(tokens);
  const sealed = readFileSync(file());
  const opening = (content: Buffer) => {
    writeFileSync(file(), content);
    return open(keychain).load();
  };
  for (let at = 0; at < sealed.length; at += 1) {
    const damaged = Buffer.from(sealed);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    await expect(opening(damaged)).rejects.toMatchObject({ code: 'vault/unreadable' });
    await expect(opening(sealed.subarray(0, at))).rejects.toMatchObject({ code: 'vault/unreadable' });
  }
  expect(await opening(sealed)).toEqual(tokens);
});

test('sealing the same tokens twice gives different files', async () => {
  const vault = open(createKeychain());
  await vault.save(tokens);
  const sealed = readFileSync(file());
  await vault.save(tokens);
  expect(readFileSync(file())).not.toEqual(sealed);
});
