import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { createUploadLog, openLog } from './log.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'log-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const path = () => join(home, 'logs', 'inspection-desk.log');

/** Logs a notice with the error `value`. Returns the written line, as text and as an object. */
const written = (value: unknown) => {
  const log = openLog(home);
  log.write('notice', { error: value });
  log.close();
  const text = readFileSync(path(), 'utf8');
  return { text, line: JSON.parse(text) as Record<string, unknown> };
};

test('a line is one JSON object with level, time, event and fields', () => {
  expect(written({ files: 3, root: 'Photos' }).line).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    pid: process.pid,
    event: 'notice',
    error: { files: 3, root: 'Photos' },
  });
});

test('secrets are cut by the look of the value and by the name of the field, at any depth', () => {
  const { text } = written({
    a: 'Bearer hunter2',
    b: { c: ['https://storage.example/k?sig=hunter2', new URL('https://x.example/?code=hunter2')] },
    accessToken: 'hunter2',
    Url: 'hunter2',
    headers: { authorization: 'hunter2' },
    key: Buffer.from('hunter2'),
  });
  expect(text).not.toContain('hunter2');
});

test('a DeskError is its code and details, its causes are names and codes', () => {
  const cause = Object.assign(new TypeError('at https://x.example/?code=hunter2'), { code: 'EPIPE' });
  const error = new DeskError('service/unreachable', 'failed', {
    retry: 'later',
    details: { phase: 'connect' },
    cause,
  });
  const { text, line } = written(error);
  expect(line.error).toEqual({
    code: 'service/unreachable',
    retry: 'later',
    details: { phase: 'connect' },
    cause: { name: 'TypeError', code: 'EPIPE', at: expect.any(Array) },
  });
  expect(text).not.toContain('hunter2');
});

test('a foreign error says where it was thrown and never its message, however often it causes itself', () => {
  const error = new Error('hunter2\nhunter2');
  error.cause = error;
  const { text, line } = written(error);
  expect(line.error).toMatchObject({
    name: 'Error',
    at: expect.arrayContaining([expect.stringContaining('log.test.ts')]),
  });
  expect(text).not.toContain('hunter2');
});

test('B12: no path of the user is written, and those of the data directory are short', () => {
  const details = {
    path: '/home/anna/Customers',
    file: join(home, 'ledger.sqlite'),
    folder: 'D:\\Customers',
    share: '\\\\nas\\c',
  };
  expect(written(new DeskError('data/unwritable', 'no', { details })).line.error).toMatchObject({
    details: { path: '[path]', file: join('[data directory]', 'ledger.sqlite'), folder: '[path]', share: '[path]' },
  });
});

test('B12: neither is the path of a file within a folder of the user', () => {
  const error = new DeskError('upload/file-missing', 'no', { details: { path: 'Storgatan 4, Lund/Anna Berg.pdf' } });
  expect(written(error).line.error).toMatchObject({ details: { path: '[path]' } });
});

test('B12: neither is what the service says about a refusal, which may name a customer; only its code', () => {
  const refused = (details: Readonly<Record<string, string>>) =>
    new DeskError('service/refused', 'refused', { details: { status: 400, ...details } });
  const locked = refused({ error: 'Locked', message: 'Anna Berg' });
  const { text, line } = written({ locked, named: refused({ error: 'of Anna Berg' }), data: toErrorData(locked) });
  expect(line.error).toMatchObject({ locked: { details: { status: 400, error: 'Locked' } } });
  expect(text).not.toContain('Anna');
});

test('a full log is rotated, and three older ones stay', () => {
  mkdirSync(join(home, 'logs'));
  for (const age of [1, 2, 3]) writeFileSync(`${path()}.${age}`, `old ${age}`);
  writeFileSync(path(), 'x'.repeat(5 * 1024 * 1024 + 1));
  openLog(home).close();
  expect(readdirSync(join(home, 'logs')).sort()).toEqual(
    ['', '.1', '.2', '.3'].map((age) => `inspection-desk.log${age}`),
  );
  expect(statSync(path()).size).toBe(0);
  expect(statSync(`${path()}.1`).size).toBe(5 * 1024 * 1024 + 1);
  expect(readFileSync(`${path()}.3`, 'utf8')).toBe('old 2');
});

test('a full log is continued while older ones cannot be moved, for example because another program has one open', () => {
  for (const age of [1, 2, 3]) mkdirSync(`${path()}.${age}/held`, { recursive: true });
  writeFileSync(path(), 'x'.repeat(5 * 1024 * 1024 + 1));
  const log = openLog(home);
  for (const error of ['one', 'two']) log.write('notice', { error });
  log.close();
  const lines = readFileSync(path(), 'utf8')
    .slice(5 * 1024 * 1024 + 1)
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line).error)).toEqual(['one', 'two']);
});

// Windows does not move a folder that contains an open file.
test.skipIf(process.platform === 'win32')('a log that cannot be opened again is continued once it can', () => {
  const log = openLog(home);
  log.write('notice', { error: 'before' });
  renameSync(join(home, 'logs'), join(home, 'away'));
  const line = 'x '.repeat(1_900);
  for (let bytes = 0; bytes <= 5 * 1024 * 1024; bytes += line.length) log.write('notice', { error: line });
  renameSync(join(home, 'away'), join(home, 'logs'));
  log.write('notice', { error: 'after' });
  log.close();
  log.write('notice', { error: 'closed' });
  expect(readFileSync(`${path()}.1`, 'utf8').trimEnd().split('\n').at(-1)).toContain('"after"');
  expect(readFileSync(path(), 'utf8')).toBe('');
});

test('a log that becomes full is continued in another file, and no line is lost', () => {
  const log = openLog(home);
  const line = 'x '.repeat(1_900);
  const lines = Math.ceil((5 * 1024 * 1024) / 3_800) + 10;
  for (let number = 0; number < lines; number += 1) log.write('notice', { error: { number, line } });
  log.close();
  const numbers = [`${path()}.1`, path()].flatMap((file) =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text).error.number),
  );
  expect(numbers).toEqual(Array.from({ length: lines }, (_, number) => number));
  expect(statSync(`${path()}.1`).size).toBeLessThan(5 * 1024 * 1024 + 10_000);
});

test('no part of a secret is written, wherever a long text is cut', () => {
  const secret = 'Zk3vQ9xB2mN7pL4rT8wY1cD6fG0hJ5sA';
  const around = (limit: number) => `${'so '.repeat(limit / 3 - 5)}${secret} `.padEnd(limit * 2, 'so ');
  const cause = new Error(`failed\n    at ${around(4_000)}`);
  const { text } = written({ text: around(4_000), url: new URL(`a:${around(4_000)}`), list: [around(100_000)], cause });
  const parts = Array.from({ length: secret.length - 7 }, (_, at) => secret.slice(at, at + 8));
  expect(parts.filter((part) => text.includes(part))).toEqual([]);
  expect(text.length).toBeLessThan(20_000);
});

test('a line has a limit, however long a text in it is', () => {
  expect(written({ text: 'x'.repeat(1_000_000) }).text.length).toBeLessThan(5_000);
});

test('only events of the chosen level and above are written', () => {
  const log = openLog(home);
  const settle = () => log.write('upload.file', { batch: 'b', state: 'done', attempts: 1, sizeBytes: 2 });
  settle();
  log.setLevel('debug');
  settle();
  log.setLevel('error');
  log.write('notice', { error: 1 });
  log.write('bug', { error: 2 });
  log.close();
  const events = readFileSync(path(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event);
  expect(events).toEqual(['upload.file', 'bug']);
});

test.skipIf(process.platform === 'win32')('the log is its owner’s only', () => {
  written({});
  expect(statSync(path()).mode & 0o077).toBe(0);
});

const reason = toErrorData(new DeskError('service/unreachable', 'gone', { details: { host: 'a.example' } }));
const batch: Batch = {
  batchId: 'b',
  uploadId: 'u',
  AssignmentId: 'a',
  root: '/home/anna/Photos',
  state: 'running',
  files: 3,
  uploaded: 1,
  skipped: 0,
  failed: 2,
  cancelled: 0,
  bytes: 9,
  bytesSent: 3,
  bytesPerSecond: 0,
  createdAtMs: 0,
  leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
};

test('an upload is logged from its start to its end, each wait and pause once, without names of folders', async () => {
  const lines: (readonly [string, object])[] = [];
  let nowMs = 0;
  const log = createUploadLog(
    (event, fields) => void lines.push([event, fields]),
    async () => [{ code: 'upload/denied', files: 2 }],
    () => nowMs,
  );
  const see = (change: Partial<Batch>, atMs: number) => {
    nowMs = atMs;
    const { reason: _, ...without } = batch;
    log.see({ ...without, ...change });
  };
  see({ state: 'scanning' }, 0);
  see({}, 0);
  see({ reason }, 1_000);
  see({ reason }, 2_000);
  see({}, 61_000);
  see({ state: 'paused', reason }, 62_000);
  see({}, 63_000);
  see({ state: 'finished', finishedAtMs: 70_000 }, 70_000);
  see({ state: 'finished', finishedAtMs: 70_000 }, 71_000);
  await expect.poll(() => lines.at(-1)?.[0]).toBe('upload.ended');
  const of = { batch: 'b', upload: 'u' };
  expect(lines).toEqual([
    ['upload.started', of],
    ['upload.waits', { ...of, code: 'service/unreachable', details: { host: 'a.example' } }],
    ['upload.continues', { ...of, waitedSeconds: 60 }],
    ['upload.paused', { ...of, code: 'service/unreachable' }],
    ['upload.started', of],
    [
      'upload.ended',
      {
        ...of,
        state: 'finished',
        files: 3,
        uploaded: 1,
        skipped: 0,
        failed: 2,
        cancelled: 0,
        bytes: 9,
        seconds: 70,
        reasons: { 'upload/denied': 2 },
      },
    ],
  ]);
});

test('uploads that ended before the app started are not logged again', () => {
  const lines: string[] = [];
  const log = createUploadLog(
    (event) => void lines.push(event),
    async () => [],
  );
  log.see({ ...batch, state: 'finished' });
  expect(lines).toEqual([]);
});
