import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveRendererFile } from './renderer-files.ts';

let parent: string;
let folder: string;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'renderer-files-'));
  folder = join(parent, 'renderer');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  await writeFile(join(folder, 'assets', 'app.js'), 'start()');
  await writeFile(join(folder, 'notes.txt'), 'not for the page');
  await writeFile(join(parent, 'secret.json'), '{}');
  await mkdir(`${folder}-old`);
  await writeFile(join(`${folder}-old`, 'index.html'), 'a neighbour whose name starts the same');
});

afterAll(() => rm(parent, { recursive: true }));

test('serves index.html at the root, under a strict policy', async () => {
  const response = await serveRendererFile(folder, '/');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('<!doctype html>');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const policy = response.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
});

test('serves a script as a script', async () => {
  const response = await serveRendererFile(folder, '/assets/app.js');
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

test.each([
  '/../secret.json',
  '/%2e%2e/secret.json',
  '/..%2fsecret.json',
  '/assets/..%2f..%2fsecret.json',
  '/..%5csecret.json',
  '/..%2frenderer-old/index.html',
  '/assets',
  '/assets/app.js%00.html',
  '/%',
  '/notes.txt',
  '/nothing.js',
])('refuses %s', async (pathname) => {
  const response = await serveRendererFile(folder, pathname);
  expect(response.status).toBe(404);
  expect(await response.text()).toBe('not found');
});
