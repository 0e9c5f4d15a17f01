import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const trees: string[] = [];
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true });
});

/** Returns the faults that the check of the layers prints for a tree of sources, one per line. */
const faultsOf = (files: Readonly<Record<string, string>>): readonly string[] => {
  const tree = mkdtempSync(join(tmpdir(), 'layers-'));
  trees.push(tree);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  }
  const { stdout, status } = spawnSync(process.execPath, ['scripts/check-layers.mjs', tree], { encoding: 'utf8' });
  expect(status).toBe(stdout === '' ? 0 : 1);
  return stdout.split('\n').slice(0, -1);
};

test('a room imports those that it is given, and what is in it', () => {
  expect(
    faultsOf({
      'contract/errors.ts': "import { z } from 'zod';",
      'main/net/exchange.ts': "import 'node:net';\nimport { DeskError } from '../../contract/errors.ts';",
      'main/auth/session.ts': "export * from '../net/exchange.ts';\nexport { a } from './testing/servers.ts';",
      'main/auth/testing/servers.ts': "import '../../../sandbox/start.ts';\nimport '../../core/desk.ts';",
      'main/auth/session.test.ts': "import '../../renderer/main.tsx';",
    }),
  ).toEqual([]);
});

test.each([
  [
    'a room',
    'main/cache/cache.ts',
    "import '../auth/session.ts';",
    '1: main/cache may not import main/auth/session.ts',
  ],
  [
    'a type',
    'words/t.ts',
    "\nimport type { A } from '../main/auth/session.ts';",
    '2: words may not import main/auth/session.ts',
  ],
  [
    'what is exported on',
    'words/t.ts',
    "export * from '../main/auth/session.ts';",
    '1: words may not import main/auth/session.ts',
  ],
  [
    'when it is needed',
    'words/t.ts',
    "void import('../main/auth/session.ts');",
    '1: words may not import main/auth/session.ts',
  ],
  ['a package', 'main/core/desk.ts', "import { app } from 'electron';", '1: main/core may not import electron'],
  ['a part of Node', 'main/matching/glob.ts', "import 'node:fs';", '1: main/matching may not import node:fs'],
  [
    'another feature',
    'renderer/features/a/page.tsx',
    "import '../b/page.tsx';",
    '1: renderer/features/a may not import renderer/features/b/page.tsx',
  ],
  ['nothing, in no room', 'tools/a.ts', '', '1: layers.mjs has no room for it'],
])('a fault is to import %s', (_, file, text, fault) => {
  const others = { 'main/auth/session.ts': 'export type A = 1;', 'renderer/features/b/page.tsx': '' };
  expect(faultsOf({ ...others, [file]: text })).toEqual([`${file}:${fault}`]);
});

test('files do not import each other in a circle, not even types', () => {
  expect(
    faultsOf({
      'contract/a.ts': "import './b.ts';",
      'contract/b.ts': "import type { C } from './c.ts';",
      'contract/c.ts': "export type { A } from './a.ts';",
    }),
  ).toEqual(['contract/a.ts:1: imports itself: contract/a.ts → contract/b.ts → contract/c.ts → contract/a.ts']);
});
