/** The access of other users of the computer to the data directory: what they can read from it, and put into it. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cli, type Line, ofType, spawnCli } from '../integration/support/cli.ts';
import { createTestKeychain, openDesk, openSignedIn, slow } from '../integration/support/desks.ts';
import { bytes, makeDirectory, makeFolder } from '../integration/support/folders.ts';
import { useHostileService } from './support/hostile-service.ts';

const service = useHostileService();

/** Returns all files and folders in `home`, and those that other users can read, write or enter (`open`). */
const openedIn = (home: string) => {
  const all = ['.', ...readdirSync(home, { recursive: true, encoding: 'utf8' })];
  return { all, open: all.filter((name) => (lstatSync(join(home, name)).mode & 0o077) !== 0) };
};

describe.skipIf(process.platform === 'win32')('the data directory', () => {
  test('A11: is closed to others, with everything the app writes, during an upload', async () => {
    const home = join(makeDirectory(), 'home');
    mkdirSync(home, { mode: 0o755 });
    const desk = await openSignedIn({ sandbox: service.address, home, keychain: createTestKeychain(), ...slow });
    desk.rememberConnection();
    await desk.handlers.protocols.list({});
    const AssignmentId = (await desk.handlers.assignments.projects({})).value.Items[0]?.AssignmentId ?? '';
    const { batchId } = await desk.uploads.start({
      root: makeFolder({ 'a.bin': bytes(400_000) }),
      assignmentId: AssignmentId,
    });
    await desk.when(batchId, ({ bytesSent }) => bytesSent > 0);
    const { all, open } = openedIn(home);
    expect(open).toEqual([]);
    const expected = ['settings.json', 'tokens', 'logs', 'ledger.sqlite-wal', 'ledger.sqlite-shm', 'lock.sqlite'];
    expect(all).toEqual(expect.arrayContaining(expected));
  });

  test('A11: is closed to others after a kill, including signed URLs in its write-ahead log', async () => {
    const home = makeDirectory();
    chmodSync(home, 0o755);
    const root = makeFolder({ 'a.bin': bytes(3_000_000) });
    const reader = await openSignedIn({ sandbox: service.address });
    const assignment = (await reader.handlers.assignments.projects({})).value.Items[0]?.AssignmentId ?? '';
    const args = ['upload', root, '--assignment', assignment, '--limit-rate', '100000'];
    const killed = await spawnCli(args, { sandbox: service.address, home }, ({ bytesSent, type }: Line, child) => {
      if (type === 'progress' && Number(bytesSent) > 0) child.kill('SIGKILL');
    });
    expect(killed.signal).toBe('SIGKILL');
    expect(openedIn(home).open).toEqual([]);
    expect(readFileSync(join(home, 'ledger.sqlite-wal'), 'latin1')).toContain(`${service.address.baseUrl}/storage/`);
  });

  test('A11: keeps the sample service’s state private to its owner', async () => {
    const desk = await openDesk();
    await desk.handlers.connection.useSample(undefined);
    const { all, open } = openedIn(desk.home);
    expect(all).toContain('sample/sandbox.sqlite');
    expect(open).toEqual([]);
  });

  test('A11: with a link in it is refused, in words and with a code, and the target stays unchanged', async () => {
    const home = makeDirectory();
    await cli(['status'], { home });
    const target = join(makeDirectory(), 'target.sqlite');
    writeFileSync(target, '');
    for (const name of ['ledger.sqlite', 'settings.json', 'logs/inspection-desk.log']) {
      rmSync(join(home, name), { force: true });
      symlinkSync(target, join(home, name));
      const run = await cli(['status'], { home });
      expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('it is a link. ') });
      expect(ofType(run, 'error')).toMatchObject([{ error: { code: 'data/unsafe' } }]);
      await expect(openDesk({ home })).rejects.toMatchObject({ code: 'data/unsafe' });
      rmSync(join(home, name));
    }
    expect(readFileSync(target, 'utf8')).toBe('');
    expect(await cli(['status'], { home })).toMatchObject({ exitCode: 0 });
  });
});
