import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { createLog } from './log.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'log-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const path = () => join(home, 'logs', 'inspection-desk.log');

/** What the log writes for `fields`, as text and as an object. */
const written = (fields: Readonly<Record<string, unknown>>) => {
  const log = createLog(home);
  log.info('test.happened', fields);
  log.close();
  const text = readFileSync(path(), 'utf8');
  return { text, line: JSON.parse(text) as Record<string, unknown> };
};

test('a line is one JSON object with level, time, event and fields', () => {
  expect(written({ files: 3, root: 'Photos' }).line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    pid: process.pid,
    event: 'test.happened',
    files: 3,
    root: 'Photos',
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
  const { text, line } = written({ error });
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
  const { text, line } = written({ error });
  expect(line.error).toMatchObject({
    name: 'Error',
    at: expect.arrayContaining([expect.stringContaining('log.test.ts')]),
  });
  expect(text).not.toContain('hunter2');
});

test('a full log is begun anew, and three older ones stay', () => {
  mkdirSync(join(home, 'logs'));
  for (const age of [1, 2, 3]) writeFileSync(`${path()}.${age}`, `old ${age}`);
  writeFileSync(path(), 'x'.repeat(5 * 1024 * 1024 + 1));
  createLog(home).close();
  expect(readdirSync(join(home, 'logs')).sort()).toEqual(
    ['', '.1', '.2', '.3'].map((age) => `inspection-desk.log${age}`),
  );
  expect(statSync(path()).size).toBe(0);
  expect(statSync(`${path()}.1`).size).toBe(5 * 1024 * 1024 + 1);
  expect(readFileSync(`${path()}.3`, 'utf8')).toBe('old 2');
});

test.skipIf(process.platform === 'win32')('the log is its owner’s only', () => {
  written({});
  expect(statSync(path()).mode & 0o077).toBe(0);
});
