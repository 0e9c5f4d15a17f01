import { describe, expect, test } from 'vitest';
import { cli, ofType, spawnCli } from './support/cli.ts';
import { makeDirectory, makeFolder } from './support/folders.ts';
import { useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

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

describe('tables', () => {
  const inEachLanguage = async (args: readonly string[], home: string) => {
    const said = async (LANG: string) =>
      (await cli(args, { home, sandbox: sandbox.address, words: true, env: { LANG } })).stdout;
    return { en: await said('C'), sv: await said('sv_SE.UTF-8'), de: await said('de_DE.UTF-8') };
  };

  test('name the states of an upload and of its files as the window does', async () => {
    const home = makeDirectory();
    const root = makeFolder({ 'a.txt': 'one' });
    const uploaded = await cli(['upload', root, '--assignment', sandbox.newAssignment()], {
      home,
      sandbox: sandbox.address,
    });
    const batch = String(ofType(uploaded, 'summary')[0]?.batch);
    const { en, sv, de } = await inEachLanguage(['uploads', 'show', batch], home);
    expect(en).toMatch(/^ID +Status +Created .*\n\S+ {2}finished .*\n\nStatus +File .*\nuploaded +a\.txt /);
    expect(sv).toMatch(/^Id +Status +Skapad .*\n\S+ {2}slutförd .*\n\nStatus +Fil .*\nuppladdad +a\.txt /);
    expect(de).toMatch(/^ID +Status +Erstellt .*\n\S+ {2}abgeschlossen .*\n\nStatus +Datei .*\nhochgeladen +a\.txt /);
  });

  test('say why files are renamed, and how large they are', async () => {
    const args = [
      'upload',
      makeFolder({ 'con.txt': 'x'.repeat(1500) }),
      '--assignment',
      sandbox.newAssignment(),
      '--dry-run',
    ];
    const { en, sv, de } = await inEachLanguage(args, makeDirectory());
    expect(en).toMatch(/ Renamed\ncon\.txt .* 1\.5\skB .*reserved by Windows\n/);
    expect(sv).toMatch(/ Byter namn\ncon\.txt .* 1,5\skB .*reserverat av Windows\n/);
    expect(de).toMatch(/ Umbenannt\ncon\.txt .* 1,5\skB .*von Windows reserviert\n/);
  });

  test('of doctor name the checks and their findings', async () => {
    const { en, sv, de } = await inEachLanguage(['doctor'], makeDirectory());
    expect(en).toMatch(/\nCheck +Result +Time +Found\n(.*\n)*service +ok +\d+ ms +responds\n/);
    expect(sv).toMatch(/\nKontroll +Resultat +Tid +Hittat\n(.*\n)*tjänst +ok +\d+ ms +svarar\n/);
    expect(de).toMatch(/\nPrüfung +Ergebnis +Zeit +Gefunden\n(.*\n)*Dienst +ok +\d+ ms +antwortet\n/);
  });
});

test.each([
  ['C', /^Usage: inspection-desk uploads show \[options\] <batch>\n\nshow an upload and its files\n\nOptions:\n/],
  ['sv_SE.UTF-8', /^Användning: inspection-desk uploads show \[alternativ\] <batch>\n\nvisa en .*\n\nAlternativ:\n/],
  ['de_DE.UTF-8', /^Verwendung: inspection-desk uploads show \[Optionen\] <batch>\n\neinen .*\n\nOptionen:\n/],
])('LANG=%s: the help is in that language', async (LANG, beginning) => {
  const { exitCode, stdout } = await cli(['uploads', 'show', '--help'], {
    home: makeDirectory(),
    words: true,
    env: { LANG },
  });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(beginning);
  expect(stdout).toMatch(/\n {2}--failed +\S/);
});

test('the help has a text for every command and option', async () => {
  const helps = async (command: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await cli([...command, '--help'], { home: makeDirectory(), words: true });
    const [, below = ''] = stdout.split('\nCommands:\n');
    const names = [...below.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = '']) => name);
    const inside = names
      .filter((name) => name !== 'help' && name !== 'sandbox')
      .map((name) => helps([...command, name]));
    return [stdout, ...(await Promise.all(inside)).flat()];
  };
  const all = await helps([]);
  expect(all.length).toBeGreaterThan(25);
  for (const help of all) expect(help).not.toMatch(/help\.\w+\./);
});

test.each([
  [
    ['upload', '.', '--map', '/no/file.csv'],
    /^fel: Mappningsfilen kan inte läsas: \/no\/file\.csv\. \(input\/invalid\)/,
  ],
  [['statu'], /^fel: Okänt kommando: 'statu' \(Menade du status\?\)\./],
  [['uploads', 'bogus'], /^fel: Okänt kommando: 'uploads bogus'\./],
  [['protocols', '--al'], /^fel: Okänt alternativ: '--al' \(Menade du --all\?\)\./],
  [['points'], /^fel: Alternativet '--protocol <id>' måste anges\./],
  [['uploads', 'show'], /^fel: Argumentet 'batch' saknas\./],
  [['protocols', 'a', 'b'], /^fel: För många argument: 2 i stället för 0\./],
  [['protocols', '--page', 'x'], /^fel: Värdet 'x' för alternativet '--page <n>' är ogiltigt: ett sidnummer krävs\./],
  [['protocols', '--page', '1', '--all'], /^fel: Alternativet '--all' kan inte användas .* '--page <n>'\./],
  [['status', '--token-store', 'paper'], /: möjliga värden: keychain, memory\./],
  [['files', 'not-a-uuid'], /^fel: Värdet för ”Uppdrags-id” är inte giltigt\. /],
  [['assignments'], /^fel: Ange antingen --protocol eller --projects\./],
])('the refusal of %j is translated for people, not in JSON', async (args, words) => {
  const run = async (LANG: string) => cli(args, { home: makeDirectory(), env: { LANG } });
  const swedish = await run('sv_SE.UTF-8');
  expect(swedish.stderr).toMatch(words);
  expect([swedish.exitCode, swedish.stdout]).toEqual([2, (await run('C')).stdout]);
});

test.each([
  ['C', '<html lang="en">', 'Signed in. You can close this window.'],
  ['sv_SE.UTF-8', '<html lang="sv">', 'Du är inloggad. Du kan stänga fönstret.'],
  ['de_DE.UTF-8', '<html lang="de">', 'Sie sind angemeldet. Sie können dieses Fenster schließen.'],
])('LANG=%s: so is the page in the browser after a sign-in', async (LANG, ...parts) => {
  const page = Promise.withResolvers<string>();
  const browse = (url: string): void => {
    fetch(url)
      .then((answer) => answer.text())
      .then(page.resolve, page.reject);
  };
  await cli(['login'], { home: makeDirectory(), sandbox: sandbox.address, env: { LANG }, browse });
  for (const part of parts) expect(await page.promise).toContain(part);
});
