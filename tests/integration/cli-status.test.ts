/** The output and the exit code of `status` if a stored connection or sign-in cannot be used. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../src/main/hosts/headless/run-cli.ts';
import { sourceParts } from '../../src/main/hosts/shared/source-parts.ts';
import { connectionIdOf } from '../../src/main/settings/resolve-connection.ts';
import { cli, ofType } from './support/cli.ts';
import { makeDirectory } from './support/folders.ts';

const store = (settings: unknown): string => {
  const home = makeDirectory();
  writeFileSync(join(home, 'settings.json'), typeof settings === 'string' ? settings : JSON.stringify(settings));
  return home;
};
const connection = { baseUrl: 'https://a.example/api', authUrl: 'https://a.example/auth', clientId: 'desk' };

test.each([
  ['not secure', { connection: { ...connection, baseUrl: 'http://a.example/api' } }, 2, 'connection/insecure'],
  ['no JSON', '{', 1, 'data/moved-aside'],
  ['of another shape', { connection: { baseUrl: 5 } }, 1, 'settings/not-understood'],
])('a stored connection that is %s: the reason, and no exit code of 0', async (_, settings, exitCode, code) => {
  const inJson = await cli(['status'], { home: store(settings) });
  expect(inJson).toMatchObject({ exitCode, stderr: expect.stringContaining(`(${code})`) });
  expect(ofType(inJson, 'error')).toMatchObject([{ error: { code } }]);
  const inWords = await cli(['status'], { home: store(settings), words: true });
  expect(inWords).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(`(${code})`) });
});

test('reports that there is no connection', async () => {
  const answer = { exitCode: 0, stdout: 'No service is set up.\nNot signed in.\n', stderr: '' };
  expect(await cli(['status'], { home: makeDirectory(), words: true })).toMatchObject(answer);
});

test('another setting that is not understood does not fail a status without a connection', async () => {
  const { exitCode, stdout } = await cli(['status'], { home: store({ preferences: { language: 'fi' } }), words: true });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'No service is set up.\nNot signed in.\n' });
});

test('a stored sign-in that cannot be read: state, reason, exit 3', async () => {
  const home = store({ connection });
  mkdirSync(join(home, 'tokens'));
  writeFileSync(join(home, 'tokens', `${connectionIdOf(connection)}.sealed`), 'not sealed');
  let [stdout, stderr] = ['', ''];
  // Uses the keychain, whether or not this machine has one.
  const exitCode = await runCli(['status', '--home', home], {
    cwd: process.cwd(),
    env: { HOME: home },
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
    parts: sourceParts,
    readPolicy: async () => ({}),
    signal: new AbortController().signal,
    onHang: () => {},
  });
  expect({ exitCode, stdout }).toEqual({
    exitCode: 3,
    stdout: `Service: ${connection.baseUrl}\nNot signed in.\n`,
  });
  expect(stderr).toMatch(/^error: .* \((?:vault\/unreadable|keychain\/unavailable)\)\n$/);
});
