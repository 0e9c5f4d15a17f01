import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createNameRegistry } from '../source/name-registry.ts';
import { scanned } from '../source/testing/scanned.ts';
import { previewFolders } from './plan-names.ts';

/** Problematic parts of paths, with frequent repetitions. */
const part = fc.oneof(
  fc.constantFrom('a', 'A', 'b.txt', 'B.TXT', 'con', 'NUL.txt', 'stra\u00dfe', 'STRASSE', 'a:b', 'a?b', 'x. ', '...'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc
    .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }), fc.nat(120))
    .map(([text, n]) => text.repeat(n + 1)),
);
const path = fc
  .array(
    part.map((text) => text.replaceAll('/', '-')),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join('/'));
const paths = fc.uniqueArray(path, { maxLength: 40 });
const templates = fc.constantFrom('{name}', '{folder} - {name}', '{path}', '{name} in {folder}');

const contentOf = async () => undefined;

const named = async (all: readonly string[], template: string): Promise<readonly string[]> => {
  const registry = createNameRegistry(template, '/folder', contentOf);
  const files = await registry.assignNames(all.map((one) => scanned(one)));
  registry.close();
  return files.map(({ fileName }) => fileName);
};

describe('any set of paths, by any template', () => {
  const holds = (property: (all: readonly string[], template: string) => Promise<void>) =>
    fc.assert(fc.asyncProperty(paths, templates, property), { numRuns: 300 });

  test('gets names that are distinct on every file system', () =>
    holds(async (all, template) => {
      const names = await named(all, template);
      for (const fold of [
        (name: string) => name.toLowerCase(),
        (name: string) => name.toUpperCase(),
        (name: string) => name.normalize('NFC'),
      ])
        expect(new Set(names.map(fold)).size).toBe(all.length);
    }));

  test('gets names that Windows and storages accept', () =>
    holds(async (all, template) => {
      for (const name of await named(all, template)) {
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).toMatch(/^[^\p{Cc}<>:"/\\|?*]*[^\p{Cc}<>:"/\\|?*. ]$/u);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d) *(\.|$)/i);
        expect(name.isWellFormed()).toBe(true);
        expect(name).toBe(name.normalize('NFC'));
      }
    }));

  test('keeps extensions', () =>
    holds(async (all, template) => {
      const files = all.map((one) => `${one}.jpeg`);
      for (const name of await named(files, template)) expect(name).toMatch(/.\.jpeg$/);
    }));

  test('gets the same names each time, in groups of any size', () =>
    holds(async (all, template) => {
      const registry = createNameRegistry(template, '/folder', contentOf);
      const names: string[] = [];
      for (const one of all)
        for (const { fileName } of await registry.assignNames([scanned(one)])) names.push(fileName);
      registry.close();
      expect(names).toEqual(await named(all, template));
    }));
});

describe('a preview', () => {
  const makeFolder = (files: Readonly<Record<string, string>>): string => {
    const root = mkdtempSync(join(tmpdir(), 'plan-names-test-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(root, name, '..'), { recursive: true });
      writeFileSync(join(root, name), content);
    }
    return root;
  };
  const signal = new AbortController().signal;

  test('counts files, renames and left-out files', async () => {
    const root = makeFolder({ 'a/x.txt': '1', 'b/X.txt': '22', 'plan?.pdf': '333', '.hidden': 'x', 'Thumbs.db': 'x' });
    expect(await previewFolders([{ root }], { template: '{name}', contentOf }, signal)).toEqual({
      files: 3,
      bytes: 6,
      renamed: 2,
      renames: [
        { path: 'plan?.pdf', FileName: 'plan_.pdf', reason: 'characters' },
        { path: 'b/X.txt', FileName: 'b - X.txt', reason: 'taken' },
      ],
      leftOut: { hidden: 1, system: 1, links: 0, special: 0, unreadable: 0 },
    });
    expect(await previewFolders([{ root }], { template: '{folder} - {name}', contentOf }, signal)).toMatchObject({
      renamed: 3,
    });
  });

  test('lists the first renames and counts all of them', async () => {
    const root = makeFolder(Object.fromEntries(Array.from({ length: 10_050 }, (_, index) => [`${index}?`, ''])));
    const { renamed, renames } = await previewFolders([{ root }], { template: '{name}', contentOf }, signal);
    expect([renamed, renames.length]).toEqual([10_050, 10_000]);
  });

  test('ends with its signal, and fails without a folder', async () => {
    const root = makeFolder({ a: '' });
    await expect(
      previewFolders([{ root }], { template: '{name}', contentOf }, AbortSignal.abort()),
    ).rejects.toMatchObject({
      code: 'app/cancelled',
    });
    await expect(
      previewFolders([{ root: join(root, 'b') }], { template: '{name}', contentOf }, signal),
    ).rejects.toMatchObject({
      code: 'upload/folder-missing',
    });
  });
});
