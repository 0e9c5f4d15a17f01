import { expect, test } from 'vitest';
import { cli, spawnCli } from './support/cli.ts';
import { makeDirectory } from './support/folders.ts';

test.each([
  ['C', 'No service is set up.\nNot signed in.\n'],
  ['sv_SE.UTF-8', 'Ingen tjänst har angetts.\nInte inloggad.\n'],
  ['de_DE.UTF-8', 'Es ist kein Dienst eingerichtet.\nNicht angemeldet.\n'],
])('LANG=%s: results and errors for people are in that language', async (LANG, stdout) => {
  const home = makeDirectory();
  expect(await cli(['status'], { home, words: true, env: { LANG } })).toMatchObject({ exitCode: 0, stdout });
  const refused = await cli(['login'], { home, words: true, env: { LANG } });
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toMatch(/--base-url.* \(connection\/missing\)\n$/);
});

test('JSON, exit codes and the codes of errors are the same in every language', async () => {
  const home = makeDirectory();
  const run = async (LANG: string) => {
    const { exitCode, stdout } = await cli(['status'], { home, env: { LANG } });
    const failed = await cli(['login'], { home, env: { LANG } });
    return { exitCode, stdout, failed: [failed.exitCode, failed.stdout] };
  };
  const english = await run('C');
  expect(await run('sv_SE.UTF-8')).toEqual(english);
  expect(await run('de_DE.UTF-8')).toEqual(english);
});

test('a process of its own takes the language from its environment', async () => {
  const run = await spawnCli(['status'], {
    home: makeDirectory(),
    words: true,
    env: { LC_ALL: 'sv_SE.UTF-8', LANG: 'C' },
  });
  expect(run.stdout).toContain('Inte inloggad.');
});
