/** Service addresses with user names, queries and more, in every way in which the app accepts an address. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CliRun, cli } from '../integration/support/cli.ts';
import { openDesk } from '../integration/support/desks.ts';
import { makeDirectory } from '../integration/support/folders.ts';

const secret = 'hunter2-in-an-address';
const good = { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1/oauth', clientId: 'desk' };

const bad = [
  ['baseUrl', `http://user:${secret}@127.0.0.1:1`],
  ['baseUrl', `http://127.0.0.1:1/?key=${secret}`],
  ['authUrl', `https://user:${secret}@127.0.0.1:1`],
  ['authUrl', `http://127.0.0.1:1/oauth?tenant=${secret}`],
  ['authUrl', `http://127.0.0.1:1/oauth#${secret}`],
] as const;

/** Returns the contents of all files of the data directory except the settings, which the user wrote. */
const written = (home: string): string =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'settings.json')
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');

const optionOf = { baseUrl: '--base-url', authUrl: '--auth-url', clientId: '--client-id' } as const;
const variableOf = {
  baseUrl: 'INSPECTION_DESK_BASE_URL',
  authUrl: 'INSPECTION_DESK_AUTH_URL',
  clientId: 'INSPECTION_DESK_CLIENT_ID',
} as const;

const entries = (values: typeof good) => Object.entries(values) as [keyof typeof good, string][];

/** The ways to pass a connection to `login`. */
const ways: Readonly<Record<string, (home: string, values: typeof good, words: boolean) => Promise<CliRun>>> = {
  options: (home, values, words) =>
    cli(['login', ...entries(values).flatMap(([field, value]) => [optionOf[field], value])], { home, words }),
  environment: (home, values, words) =>
    cli(['login'], {
      home,
      words,
      env: Object.fromEntries(entries(values).map(([field, value]) => [variableOf[field], value])),
    }),
  'settings file': (home, values, words) => {
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ connection: values }));
    return cli(['login'], { home, words });
  },
};

test.each(Object.entries(ways).flatMap(([way, run]) => bad.map((one) => [way, ...one, run] as const)))(
  'A14: given by %s, %s %s is refused and appears nowhere',
  async (_way, field, address, run) => {
    for (const words of [false, true]) {
      const home = makeDirectory();
      const { exitCode, stdout, stderr } = await run(home, { ...good, [field]: address }, words);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('connection/address');
      expect(stderr).toContain(field === 'baseUrl' ? 'Service address' : 'Sign-in address');
      expect(`${stdout}${stderr}${written(home)}`).not.toContain(secret);
    }
  },
);

test.each(bad)('A14: from the window, %s %s is refused at its field and not stored', async (field, address) => {
  const desk = await openDesk();
  await expect(desk.handlers.connection.set({ ...good, [field]: address })).rejects.toMatchObject({
    code: 'connection/address',
    message: expect.not.stringContaining(secret),
    details: { field },
  });
  expect((await desk.handlers.app.snapshot(undefined)).connection).toBeUndefined();
  expect(written(desk.home)).not.toContain(secret);
  expect(readdirSync(desk.home)).not.toContain('settings.json');
});

test('A14: a stored address that is refused becomes a notice about its field', async () => {
  const home = makeDirectory();
  writeFileSync(
    join(home, 'settings.json'),
    JSON.stringify({ connection: { ...good, authUrl: `http://127.0.0.1:1/?${secret}` } }),
  );
  const desk = await openDesk({ home });
  const snapshot = await desk.handlers.app.snapshot(undefined);
  expect(snapshot.connection).toBeUndefined();
  expect(snapshot.notices).toMatchObject([
    { code: 'connection/address', details: { field: 'authUrl', part: 'query' } },
  ]);
  expect(`${JSON.stringify(snapshot)}${written(home)}`).not.toContain(secret);
});
