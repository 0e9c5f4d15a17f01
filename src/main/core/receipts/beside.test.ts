import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { besideFolder, commonFolder, freePath } from './beside.ts';

const at = (path: string) => resolve('/', path);

test('a receipt lies beside its folder; that of several folders beside the folder that holds them all', () => {
  expect(besideFolder([at('jobs/a')])).toBe(at('jobs'));
  expect(besideFolder([at('office/jobs/a'), at('office/jobs/b/c')])).toBe(at('office'));
  expect(commonFolder([at('jobs/ab'), at('jobs/a')])).toBe(at('jobs'));
});

test('no receipt lies within a folder that is watched', () => {
  expect(besideFolder([at('office/jobs/a')], [at('office/jobs')])).toBe(at('office'));
  expect(besideFolder([at('office/jobs/a')], [at('office/jobs'), at('office')])).toBe(at('.'));
  expect(besideFolder([at('office/jobs/a')], [at('office/job')])).toBe(at('office/jobs'));
});

test('nothing is beside a whole drive', () => {
  expect(besideFolder([at('.')])).toBeUndefined();
  expect(besideFolder([at('a'), at('b')])).toBeUndefined();
});

test('no file is replaced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'beside-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['r.pdf', 'r (2).pdf', 'r (3).pdf']) {
    const path = await freePath(folder, 'r', '.pdf');
    expect(path).toBe(join(folder, name));
    writeFileSync(path, '');
  }
});
