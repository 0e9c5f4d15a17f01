/** Tokens, codes and signed URLs are never on disk in plain text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSealedVault } from '../../src/main/auth/vault.ts';
import { connectionIdOf } from '../../src/main/settings/resolve-connection.ts';
import { createTestKeychain, openDesk } from './support/desks.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
import { once, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

/** Returns the contents of all files below `home`, including write-ahead logs, by their paths. */
const everything = (home: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')]),
  );

test('after a sign-in, an upload with failures and a refresh', async () => {
  const home = makeDirectory();
  const keychain = createTestKeychain();
  const codes: string[] = [];
  const openExternal = async (url: string): Promise<void> => {
    const { headers } = await fetch(url, { redirect: 'manual' });
    const callback = headers.get('location') ?? '';
    codes.push(new URL(callback).searchParams.get('code') ?? '');
    await fetch(callback);
  };
  const desk = await openDesk({ sandbox: sandbox.address, home, keychain, host: { openExternal } });
  const vault = createSealedVault({ home, keychain, connectionId: connectionIdOf(sandbox.address) });
  const secrets: (string | undefined)[] = codes;
  const collect = async (): Promise<void> => {
    const tokens = await vault.load();
    secrets.push(tokens?.accessToken, tokens?.refreshToken);
  };

  await desk.signIn();
  await collect();
  await sandbox.control.faults.add(
    once('storage-put', { type: 'expired-url' }),
    once('storage-put', { type: 'reset', at: 'during-body' }),
    once('sign-upload', { type: 'expired-token' }),
  );
  const assignment = sandbox.newAssignment();
  expect(await desk.upload(makeFolder(manyFiles(20)), assignment)).toMatchObject({ uploaded: 20 });
  await collect();
  const open = everything(home);
  await desk.close();

  expect(secrets).toHaveLength(5);
  expect(new Set(secrets).size).toBe(5);
  for (const files of [open, everything(home)]) {
    expect(Object.keys(files).some((name) => name.endsWith('.sealed'))).toBe(true);
    expect(Object.keys(files).some((name) => name.endsWith('.log'))).toBe(true);
    for (const [name, content] of Object.entries(files)) {
      for (const secret of secrets) expect(content.includes(String(secret)), `${name} holds a secret`).toBe(false);
      if (name.endsWith('.log')) expect(content).not.toMatch(/signature=|Bearer |[?&](code|state)=/);
    }
  }
  // No file remains to be sent, so no signed URL remains either, not even in older pages of the closed database.
  expect(readFileSync(join(home, 'ledger.sqlite'), 'latin1')).not.toContain('signature=');
});
