/** Folders with special files, links and unexpected documents. */
import { appendFileSync, chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { cli } from '../integration/support/cli.ts';
import { openSignedIn, slowDown, withoutBackoff } from '../integration/support/desks.ts';
import { makeDirectory, makeFolder, sha256 } from '../integration/support/folders.ts';
import { expectStored, storedOn, useSandbox } from '../integration/support/sandbox.ts';
import { hostileNames, makePipe, makeSecret, makeSocket, makeSparse, writeNamed } from './support/hostile-folder.ts';

const sandbox = useSandbox();
const isRoot = process.getuid?.() === 0;
const onPosix = describe.skipIf(process.platform === 'win32');
const onLinux = test.skipIf(process.platform !== 'linux');
const tree = { 'honest.txt': 'honest', 'in/other.txt': 'other' };

let assignment: string;
let root: string;
beforeEach(() => {
  withoutBackoff();
  assignment = sandbox.newAssignment();
  root = realpathSync(makeFolder(tree));
});

const upload = async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const batch = await desk.upload(root, assignment);
  return { desk, ...batch };
};

onPosix('A16: what has no content is left out', () => {
  test('counts pipes, sockets and devices, and reports them before and after', async () => {
    makePipe(join(root, 'pipe.txt'));
    await makeSocket(join(root, 'in', 'socket'));
    const dry = await cli(['upload', root, '--assignment', assignment, '--dry-run'], { home: makeDirectory() });
    expect(dry.lines.at(-1)).toMatchObject({ type: 'summary', files: 2, leftOut: { special: 2, links: 0 } });
    const words = await cli(['upload', root, '--assignment', assignment, '--dry-run'], {
      home: makeDirectory(),
      words: true,
    });
    expect(words.stdout).toContain('0 links, 2 pipes, sockets or devices, 0 unreadable');
    expect(await upload()).toMatchObject({ state: 'finished', uploaded: 2, leftOut: { special: 2 } });
    await expectStored(sandbox.control, assignment, tree);
  });

  test('counts links to files and folders, inside and outside the folder', async () => {
    const secret = makeSecret(makeDirectory(), join(root, 'honest.txt'));
    symlinkSync(secret, join(root, 'out.txt'));
    symlinkSync(join(secret, '..'), join(root, 'out'));
    symlinkSync('/etc', join(root, 'in', 'etc'));
    symlinkSync(root, join(root, 'in', 'around'));
    symlinkSync('loop', join(root, 'loop'));
    expect(await upload()).toMatchObject({ state: 'finished', uploaded: 2, leftOut: { links: 5 } });
    await expectStored(sandbox.control, assignment, tree);
  });
});

onPosix('A4: names', () => {
  onLinux('of every kind arrive, each file once, under names that every system takes', async () => {
    for (const [index, name] of hostileNames.entries()) writeFileSync(join(root, name), `content ${index}`);
    const { desk, batchId, ...counts } = await upload();
    expect(counts).toMatchObject({ state: 'finished', uploaded: hostileNames.length + 2, failed: 0 });
    const stored = await storedOn(sandbox.control, assignment);
    expect(stored.map((object) => object.sha256).sort()).toEqual(
      [...Object.values(tree), ...hostileNames.map((_, index) => `content ${index}`)].map(sha256).sort(),
    );
    for (const { FileName } of stored) {
      expect(FileName).not.toMatch(/[\p{Cc}<>:"/\\|?*]/u);
      expect(Buffer.byteLength(FileName)).toBeLessThanOrEqual(255);
    }
    expect(Object.keys(await desk.filesOf(batchId))).toEqual(expect.arrayContaining([...hostileNames]));
  });

  onLinux('that are no text are left out, counted, and never taken for another file', async () => {
    writeFileSync(join(root, 'a\ufffd.txt'), 'its name has that character');
    writeNamed(root, Buffer.from([0x61, 0xff, ...Buffer.from('.txt')]), 'no text');
    writeNamed(root, Buffer.from([0xc3, 0x28]), 'no text either');
    const { batchId: _, ...counts } = await upload();
    expect(counts).toMatchObject({ state: 'finished', uploaded: 3, failed: 0, leftOut: { unreadable: 2 } });
    await expectStored(sandbox.control, assignment, { ...tree, 'a\ufffd.txt': 'its name has that character' });
  });
});

describe('A16: files that cannot be read are counted or fail alone', () => {
  test('a folder 300 levels deep arrives', async () => {
    const deep = Array.from({ length: 300 }, (_, index) => `d${index}`).join('/');
    mkdirSync(join(root, deep), { recursive: true });
    writeFileSync(join(root, deep, 'deep.txt'), 'deep');
    expect(await upload()).toMatchObject({ state: 'finished', uploaded: 3, failed: 0 });
    await expectStored(sandbox.control, assignment, { ...tree, [`${deep}/deep.txt`]: 'deep' });
  });

  onLinux('a folder deeper than the system takes paths is counted', async () => {
    const there = process.cwd();
    try {
      process.chdir(root);
      for (let level = 0; level < 30; level += 1) {
        mkdirSync('d'.repeat(200));
        process.chdir('d'.repeat(200));
      }
      writeFileSync('unreachable.txt', 'deep');
    } finally {
      process.chdir(there);
    }
    expect(await upload()).toMatchObject({ state: 'finished', uploaded: 2, leftOut: { unreadable: 1 } });
  });

  test('counts a folder without permission (root may read it)', async () => {
    mkdirSync(join(root, 'closed'));
    writeFileSync(join(root, 'closed', 'closed.txt'), 'closed');
    chmodSync(join(root, 'closed'), 0);
    const { batchId: _, ...counts } = await upload();
    chmodSync(join(root, 'closed'), 0o700);
    expect(counts).toMatchObject(
      isRoot ? { uploaded: 3, leftOut: { unreadable: 0 } } : { uploaded: 2, leftOut: { unreadable: 1 } },
    );
  });

  onLinux('files of 8 TB and 5 GB without content keep nothing else from arriving', async () => {
    makeSparse(join(root, 'refused.bin'), 2 ** 43);
    makeSparse(join(root, 'slow.bin'), 5_000_000_000);
    const desk = await openSignedIn({ sandbox: sandbox.address });
    await slowDown(desk);
    const { batchId } = await desk.uploads.start({ root, assignmentId: assignment });
    await desk.when(batchId, ({ uploaded, failed }) => uploaded === 2 && failed === 1);
    expect(await desk.uploads.cancel(batchId)).toMatchObject({
      state: 'cancelled',
      uploaded: 2,
      failed: 1,
      cancelled: 1,
    });
    expect((await desk.filesOf(batchId))['refused.bin']).toMatchObject({ error: { code: 'upload/too-large' } });
    await expectStored(sandbox.control, assignment, tree);
  });

  test('a file that grows endlessly fails, and never arrives in part', async () => {
    const growing = join(root, 'growing.log');
    writeFileSync(growing, 'x'.repeat(2_000_000));
    const desk = await openSignedIn({ sandbox: sandbox.address });
    const goOn = await slowDown(desk);
    const { batchId } = await desk.uploads.start({ root, assignmentId: assignment });
    await desk.when(batchId, ({ bytesSent }) => bytesSent > 0);
    const grow = setInterval(() => appendFileSync(growing, 'more'), 1);
    appendFileSync(growing, 'more');
    await goOn();
    await desk.uploads.ended(batchId).finally(() => clearInterval(grow));
    expect((await desk.filesOf(batchId))['growing.log']).toMatchObject({ error: { code: 'upload/file-changed' } });
    await expectStored(sandbox.control, assignment, tree);
  });
});
