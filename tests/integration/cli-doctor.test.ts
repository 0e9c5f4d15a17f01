/** What doctor reports about a working and a broken connection. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unusedAddress } from '../../src/main/net/testing/server.ts';
import { cli } from './support/cli.ts';
import { openDesk } from './support/desks.ts';
import { makeDirectory } from './support/folders.ts';
import { useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

type Checks = readonly { readonly check: string; readonly ok: boolean; readonly error?: { readonly code: string } }[];

const doctor = async (options: Partial<Parameters<typeof cli>[1]> = {}) => {
  const { exitCode, lines, stderr } = await cli(['doctor'], {
    home: makeDirectory(),
    sandbox: sandbox.address,
    ...options,
  });
  const checks = (lines[0]?.checks ?? []) as Checks;
  const failed = checks.flatMap(({ check, ok, error }) => (ok ? [] : [`${check}: ${error?.code}`]));
  return { exitCode, stderr, ok: lines[0]?.ok, failed, checks };
};

test('everything works: exit 0, without a sign-in', async () => {
  const { exitCode, ok, failed, checks, stderr } = await doctor();
  expect([exitCode, ok, failed, stderr]).toEqual([0, true, [], '']);
  expect(checks.map(({ check }) => check)).toEqual([
    ...['version', 'free space', 'keychain', 'data directory', 'connection', 'sign-in'],
    ...['proxy', 'name lookup', 'network connection', 'certificate'],
    ...['service', 'sign-in address', 'clock', 'service data', 'storage', 'test upload'],
  ]);
  expect((await sandbox.control.stats()).routes.authorize.requests).toBe(0);
});

test('names each problem and still runs the other checks', async () => {
  const gone = unusedAddress();
  expect(await doctor({ sandbox: { ...sandbox.address, baseUrl: gone } })).toMatchObject({
    exitCode: 1,
    failed: ['network connection: service/unreachable'],
    stderr: expect.stringContaining('(service/unreachable)'),
  });
  expect(await doctor({ sandbox: undefined })).toMatchObject({
    exitCode: 1,
    failed: ['connection: connection/missing'],
  });
  const home = makeDirectory();
  writeFileSync(join(home, 'ledger.sqlite'), 'not what it should be '.repeat(99));
  expect(await doctor({ home })).toMatchObject({ exitCode: 1, failed: ['stored data: data/corrupt'] });
  const desk = await openDesk();
  expect(await doctor({ home: desk.home })).toMatchObject({ exitCode: 1, failed: ['data directory: data/in-use'] });
});

test('in words: one line per check', async () => {
  const { exitCode, stdout } = await cli(['doctor'], { home: makeDirectory(), sandbox: sandbox.address, words: true });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Inspection Desk \S+, Node \S+, .*\nCheck +Result +Time +Found\n/);
  expect(stdout).toMatch(/\nservice +ok +\d+ ms +responds\n/);
});
