/**
 * Foreign texts do not control the terminal. Tests every command with a hostile service, hostile names of files and a
 * hostile token.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cli } from '../integration/support/cli.ts';
import { openSignedIn } from '../integration/support/desks.ts';
import { makeDirectory, makeFolder } from '../integration/support/folders.ts';
import { useHostileService } from './support/hostile-service.ts';
import { lie } from './support/start-hostile-service.ts';

const service = useHostileService();

const STEERING = '\u001b]0;owned\u0007\u001b[2J\u009b1A\u202e\u2066\u200b\r\nerror: forged\u2028';

/** Appends control sequences to all texts in `value` except ids, Keys and URLs. */
const poisoned = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => poisoned(one));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, poisoned(one, key)]));
  return typeof value === 'string' && !/Id$|^Key$|^Url$/.test(name) ? `${value}${STEERING}` : value;
};

/** Returns the token response with an access token whose subject contains control sequences. */
const withSubject = (answer: unknown): unknown => {
  const claims = Buffer.from(JSON.stringify({ sub: `anna${STEERING}` })).toString('base64url');
  return { ...z.looseObject({}).parse(answer), access_token: `e30.${claims}.e30` };
};

test('A9: names the signed-in user in one line without control characters', async () => {
  service.attack('token', lie(withSubject));
  for (const words of [true, false]) {
    const { exitCode, stdout } = await cli(['login'], { sandbox: service.address, home: makeDirectory(), words });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('anna');
    expect(stdout.match(/(?!\n)[\p{Cc}\p{Cf}\u2028]/gu)).toBeNull();
    expect(stdout).not.toMatch(/^error: forged/m);
  }
});

const READS = [
  'list-protocols',
  'list-assignments',
  'list-inspection-points',
  'list-project-assignments',
  'list-orderable-events',
] as const;

test('A9: no command prints foreign control characters, in words or in JSON', async () => {
  const names = ['\u001b[2Jclear.txt', '\u202egpj.exe', 'line\nerror: forged.txt', '\u009b2Jc1.txt', 'plain.txt'];
  const root = makeFolder(Object.fromEntries(names.map((name) => [`folder \u001b[31m/${name}`, name])));
  const home = makeDirectory();
  const reader = await openSignedIn({ sandbox: service.address });
  const { Items } = (await reader.handlers.assignments.projects({})).value;
  const assignment = Items[0]?.AssignmentId ?? '';
  const protocol = (await reader.handlers.protocols.list({})).value.Items[0]?.InspectionProtocolId ?? '';
  for (const route of READS) service.attack(route, lie(poisoned));
  service.attack('remove-file', lie(poisoned));

  const batches: string[] = [];
  const written: string[] = [];
  const check = async (args: readonly string[], words: boolean) => {
    const run = await cli(args, { sandbox: service.address, home, words });
    const all = `${run.stdout}${run.stderr}`;
    expect(all.match(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu), args.join(' ')).toBeNull();
    expect(run.stderr, args.join(' ')).not.toMatch(/^error: forged/m);
    if (words) expect(run.stdout, args.join(' ')).not.toMatch(/^error: forged/m);
    expect(run.exitCode, `${args.join(' ')} ${run.stderr}`).not.toBe(70);
    written.push(all);
    return run;
  };
  for (const words of [true, false]) {
    await check(['status'], words);
    await check(['protocols', '--query', STEERING], words);
    await check(['protocols'], words);
    await check(['assignments', '--protocol', protocol], words);
    await check(['assignments', '--projects', '--county', STEERING], words);
    await check(['points', '--protocol', protocol], words);
    await check(['events'], words);
    await check(['upload', root, '--assignment', assignment, '--dry-run'], words);
    const upload = await check(['upload', root, '--assignment', assignment], words);
    batches.push(/[0-9a-f]{8}-[0-9a-f-]{27}/.exec(`${upload.stdout}${upload.stderr}`)?.[0] ?? '');
    await check(['uploads'], words);
    await check(['files', assignment], words);
    await check(['doctor'], words);
    await check(['plan-after', assignment, `${STEERING}`], words);
    await check([`unknown${STEERING}`], words);
    if (words) await check(['--help'], words);
    await check(['upload', join(root, STEERING), '--assignment', assignment], words);
  }
  const listed = await cli(['uploads'], { sandbox: service.address, home });
  const { batch } = z.object({ batch: z.string() }).parse(z.array(z.unknown()).parse(listed.lines[0]?.batches)[0]);
  writeFileSync(join(root, 'folder \u001b[31m', '\u202egpj.exe'), 'changed');
  rmSync(join(root, 'folder \u001b[31m', '\u001b[2Jclear.txt'));
  const report = join(makeDirectory(), `report ${STEERING}.csv`);
  for (const words of [true, false]) {
    await check(['uploads', 'show', batch], words);
    await check(['uploads', 'verify', batch], words);
    await check(['uploads', 'report', batch, '--out', report], words);
    await check(['uploads', 'retry', batch], words);
    await check(['uploads', 'cancel', batch], words);
  }
  expect(readFileSync(report, 'utf8')).toContain('gpj.exe');
  // The output contains the texts in a readable form.
  for (const text of ['�]0;owned', 'gpj.exe', '\\u202e', '\\u001b']) expect(written.join('')).toContain(text);
});
