import { EventEmitter } from 'node:events';
import {
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  type watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { factsOf } from '../source/file-identity.ts';
import { PATIENCE_MS } from '../source/scan.ts';
import { fakeTimeouts, replaceCalls } from '../source/testing/replaced-calls.ts';
import { createFolderReader, mayChangeUnseen, watchFolder, watchTree } from './folder-watch.ts';

/**
 * Creates a system that supplies at most `limit` watches. The test sends hints to `listeners`, and errors to the
 * watches in `open`.
 */
const system = (limit = Number.POSITIVE_INFINITY) => {
  const open = new Map<EventEmitter, { readonly folder: string; readonly recursive: boolean }>();
  const listeners: ((event: string, name: string | null) => void)[] = [];
  const watchFolder = ((folder: string, options: { recursive: boolean }, listener: (typeof listeners)[number]) => {
    if (open.size >= limit) throw Object.assign(new Error('no more'), { code: 'ENOSPC' });
    const one = Object.assign(new EventEmitter(), { close: () => void open.delete(one) });
    open.set(one, { folder, recursive: options.recursive });
    listeners.push(listener);
    return one as unknown as FSWatcher;
  }) as typeof watch;
  return { watchFolder, open, listeners };
};

const watching = (platform: NodeJS.Platform, limit?: number) => {
  const hints: (string | undefined)[] = [];
  const errors: unknown[] = [];
  const { watchFolder, open, listeners } = system(limit);
  const tree = watchTree({
    root: join('/', 'root'),
    onHint: (path) => hints.push(path),
    onError: (error) => errors.push(error),
    platform,
    watchFolder,
  });
  return { tree, open, listeners, hints, errors };
};

test.each(['win32', 'darwin'] as const)('one handle watches the whole tree on %s', (platform) => {
  const { tree, open, listeners, hints, errors } = watching(platform);
  tree.addFolder('/root/below');
  expect([...open.values()]).toEqual([{ folder: '/root', recursive: true }]);
  listeners[0]?.('change', join('below', 'a.txt'));
  // The system does not say what has changed.
  listeners[0]?.('change', null);
  expect(hints).toEqual(['/root/below/a.txt', undefined]);
  [...open.keys()][0]?.emit('error', new Error('EPERM'));
  expect(errors).toHaveLength(1);
  expect(open.size).toBe(0);
});

test('each folder is watched on Linux, again whenever it is read', () => {
  const { tree, open, errors } = watching('linux');
  for (const folder of ['/root', '/root/below', '/root/below']) tree.addFolder(folder);
  expect([...open.values()].map(({ folder }) => folder)).toEqual(['/root', '/root/below']);
  // One folder was deleted.
  [...open.keys()][1]?.emit('error', Object.assign(new Error(), { code: 'ENOENT' }));
  expect(errors).toEqual([]);
  tree.close();
  expect(open.size).toBe(0);
});

test('a system without more watches is reported once, and gives all of them back', () => {
  const { tree, open, errors } = watching('linux', 2);
  for (const folder of ['/root', '/root/a', '/root/b', '/root/c']) tree.addFolder(folder);
  expect(errors).toMatchObject([{ code: 'ENOSPC' }]);
  expect(open.size).toBe(0);
});

test('folders that other computers may change are known by their path or file system', async () => {
  const windows = [
    '\\\\server\\share\\scans',
    '//server/share',
    '\\\\?\\UNC\\server\\share',
    '\\\\?\\C:\\scans',
    'C:\\scans',
  ];
  const found = await Promise.all(windows.map((root) => mayChangeUnseen(root, 'win32')));
  expect(found).toEqual([true, true, true, false, false]);
  expect(await mayChangeUnseen('Z:\\scans', 'win32', async () => '\\\\server\\share\\scans')).toBe(true);
  expect(await mayChangeUnseen('/Volumes/Scans', 'darwin')).toBe(true);
  expect(await mayChangeUnseen('/Users/me/Scans', 'darwin')).toBe(false);
  expect(await mayChangeUnseen(tmpdir(), 'linux')).toBe(false);
  expect(await mayChangeUnseen('/there/is/no/such/folder', 'linux')).toBe(false);
});

const factsIn = (root: string, path: string) => factsOf(statSync(join(root, path), { bigint: true }));

const hanging = () => new Promise<never>(() => {});

/** Watches an empty folder. Where each folder is watched separately, the system gives no hints. */
const watchEmpty = (
  options: Partial<Parameters<typeof watchFolder>[0]> & {
    readonly onScan?: () => void;
    readonly look?: () => unknown;
    readonly canOpen?: () => unknown;
  } = {},
) => {
  const root = mkdtempSync(join(tmpdir(), 'folder-watch-'));
  const { onScan = () => {}, look, canOpen, ...others } = options;
  const watch = watchFolder({
    root,
    realRoot: root,
    reader: {
      assertFolder: async () => {},
      // This scan reports no folder, so none is watched.
      scan: async function* () {
        const paths = readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll('\\', '/'));
        yield paths.map((path) => ({ path, ...factsIn(root, path) }));
        onScan();
      },
      look: (_, path) => Promise.resolve(look ? (look() as never) : factsIn(root, path)),
      canOpen: () => Promise.resolve(canOpen ? (canOpen() as never) : true),
    },
    times: { settleMs: 1, scanMs: 3_600_000, blindScanMs: 3_600_000, missingMs: 3_600_000 },
    isTaken: () => false,
    onChange: () => {},
    onBug: (error) => expect.unreachable(String(error)),
    ...others,
  });
  onTestFinished(async () => {
    await watch.close();
    rmSync(root, { recursive: true });
  });
  return { root, watch };
};

test('a scan that is requested while another is in progress follows it', async () => {
  let scans = 0;
  const { root, watch } = watchEmpty({
    onScan: () => {
      scans += 1;
      if (scans > 1) return;
      // The scan has already read the folder.
      writeFileSync(join(root, 'late.txt'), 'late');
      watch.scanSoon();
    },
  });
  await expect.poll(() => watch.complete().map(({ path }) => path)).toEqual(['late.txt']);
  expect(scans).toBe(2);
});

test('a folder that was moved away is not watched any more', async () => {
  const [root, away] = [mkdtempSync(join(tmpdir(), 'folder-watch-')), mkdtempSync(join(tmpdir(), 'folder-watch-'))];
  onTestFinished(() => [root, away].forEach((folder) => void rmSync(folder, { recursive: true, force: true })));
  mkdirSync(join(root, 'job'));
  const reader = createFolderReader();
  const looked: string[] = [];
  let scans = 0;
  const { watch } = watchEmpty({
    root,
    realRoot: root,
    reader: {
      ...reader,
      scan: async function* (...args) {
        yield* reader.scan(...args);
        scans += 1;
      },
      look: (folder, path) => {
        looked.push(path);
        return reader.look(folder, path);
      },
    },
  });
  /** Resolves once a new file was found, and with it every earlier change. */
  const find = async (name: string): Promise<void> => {
    writeFileSync(join(root, name), name);
    await expect.poll(() => watch.complete().map(({ path }) => path)).toContain(name);
  };
  await find('before.txt');
  renameSync(join(root, 'job'), join(away, 'job'));
  const scansBefore = scans;
  watch.scanSoon();
  await expect.poll(() => scans).toBeGreaterThan(scansBefore);
  await find('between.txt');
  writeFileSync(join(away, 'job', 'a.txt'), 'a');
  await find('after.txt');
  expect(looked).toContain('after.txt');
  expect(looked).not.toContain('job/a.txt');
});

test.runIf(process.platform === 'linux')('a share that is mounted later is scanned as often as any other', async () => {
  const NFS = 0x6969;
  const calls = replaceCalls({ statfs: async (path: string) => ({ ...(await calls.statfs(path)), type: mounted }) });
  let mounted = 0;
  let scans = 0;
  const times = { settleMs: 1, scanMs: 3_600_000, blindScanMs: 10, missingMs: 3_600_000 };
  const { watch } = watchEmpty({
    times,
    onScan: () => {
      scans += 1;
    },
  });
  await expect.poll(() => watch.state()).toBe('watching');
  mounted = NFS;
  // Stands for the next regular scan, which finds that the folder is on a share now.
  watch.scanSoon();
  await expect.poll(() => scans).toBeGreaterThan(5);
});

test('an error of a listener is reported, and the folder is still watched', async () => {
  const bugs: unknown[] = [];
  const { root, watch } = watchEmpty({
    onChange: () => {
      throw new Error('the list cannot be read');
    },
    onBug: (error) => bugs.push(error),
  });
  await expect.poll(() => bugs.length).toBeGreaterThan(0);
  writeFileSync(join(root, 'a.txt'), 'a');
  watch.scanSoon();
  await expect.poll(() => watch.complete().map(({ path }) => path)).toEqual(['a.txt']);
});

test('names of files that are not complete, or no documents', async () => {
  const unfinished = [
    '~$letter.docx',
    '.~lock.sheet.ods#',
    '~WRL0001.tmp',
    'a.PART',
    'b/video.mp4.crdownload',
    'x.!ut',
  ];
  const complete = ['letter.docx', 'part.pdf', 'tmp', 'a.part/report.pdf', '~notes.txt', 'Elveveien 97.jpg'];
  const { root, watch } = watchEmpty();
  for (const path of [...unfinished, ...complete]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), 'content');
  }
  watch.scanSoon();
  await expect.poll(() => watch.complete().map(({ path }) => path)).toHaveLength(complete.length);
  expect(
    watch
      .complete()
      .map(({ path }) => path)
      .sort(),
  ).toEqual(complete.sort());
  expect(watch.unsettled()).toBe(0);
});

test.each(['lstat', 'opendir'] as const)('a scan ends if the drive does not respond to %s', async (name) => {
  fakeTimeouts();
  const root = mkdtempSync(join(tmpdir(), 'folder-watch-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'a.txt'), 'a');
  const called = Promise.withResolvers<void>();
  replaceCalls({
    [name]: () => {
      called.resolve();
      return hanging();
    },
  });
  const scan = createFolderReader().scan({ root }, new AbortController().signal);
  const failed = expect(scan.next()).rejects.toMatchObject({
    code: 'upload/drive-unresponsive',
    details: { path: root },
  });
  await called.promise;
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  await failed;
});

/**
 * Waits until a watch has begun to look at its folder, and then lets the app's timeouts pass. Resolves to the state of
 * the watch and the code of its problem.
 */
const pass = async (watch: ReturnType<typeof watchFolder>, ms: number) => {
  // A hint is followed by a wait of 100 ms, in which further hints are collected.
  await delay(200);
  await vi.advanceTimersByTimeAsync(ms);
  return [watch.state(), watch.problem()?.code];
};

/** Expects that no further call is made on a drive until the one that was given up has ended. */
const expectOneCall = async (watch: ReturnType<typeof watchFolder>, calls: () => number, wakeUp: () => void) => {
  await expect.poll(() => pass(watch, PATIENCE_MS)).toEqual(['unreadable', 'upload/drive-unresponsive']);
  for (let again = 0; again < 3; again += 1) {
    watch.scanSoon();
    await pass(watch, PATIENCE_MS);
  }
  expect(calls()).toBe(1);
  wakeUp();
  // The drive takes a moment to end the call; a scan before that fails.
  const scanAgain = () => {
    watch.scanSoon();
    return pass(watch, 0);
  };
  await expect.poll(scanAgain).toEqual(['watching', undefined]);
};

test.each(['look', 'canOpen'] as const)('a folder whose drive does not respond to %s is unreadable', async (name) => {
  fakeTimeouts();
  const woken = Promise.withResolvers<void>();
  let calls = 0;
  const { root, watch } = watchEmpty({
    [name]: async () => {
      calls += 1;
      await woken.promise;
      return name === 'look' ? factsIn(root, 'a.txt') : true;
    },
  });
  writeFileSync(join(root, 'a.txt'), 'a');
  watch.scanSoon();
  await expectOneCall(watch, () => calls, woken.resolve);
});

test('a subfolder whose drive does not respond is read again only after the first call has ended', async () => {
  const root = mkdtempSync(join(tmpdir(), 'folder-watch-'));
  mkdirSync(join(root, 'b'));
  const woken = Promise.withResolvers<void>();
  let calls = 0;
  const { opendir } = replaceCalls({
    opendir: async (path: string, options: object) => {
      if (path === join(root, 'b')) {
        calls += 1;
        await woken.promise;
      }
      return opendir(path, options as never);
    },
  });
  fakeTimeouts();
  const { watch } = watchEmpty({ root, realRoot: root, reader: createFolderReader() });
  await expect.poll(() => calls).toBe(1);
  await expectOneCall(watch, () => calls, woken.resolve);
  expect(calls).toBeGreaterThan(1);
});
