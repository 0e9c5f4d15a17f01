import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const scripts = fileURLToPath(new URL('../../scripts', import.meta.url));

/** The path of a Node on this machine that is older than the project's. */
const olderNode = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))
  .find((node) => /^v(18|20|22)\./.test(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''));

test('a script with an older Node runs on the project’s own', ({ skip }) => {
  skip(olderNode === undefined, 'no older Node is on the PATH');
  const { status, stderr } = spawnSync(olderNode ?? '', [join(scripts, 'sbom.mjs')], { input: '', encoding: 'utf8' });
  // The project's Node has run the script, because the script rejects its empty input.
  expect(stderr).toMatch(/SyntaxError: Unexpected end of JSON input[\s\S]*Node\.js v24\./);
  expect(status).toBe(1);
});

test('so does a script with the first versions of Node 24, which lack what it needs', ({ skip }) => {
  skip(olderNode === undefined, 'no older Node is on the PATH');
  const named = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.1.0' } })";
  const args = ['--import', `data:text/javascript,${encodeURIComponent(named)}`, join(scripts, 'sbom.mjs')];
  const { status, stderr } = spawnSync(olderNode ?? '', args, { input: '', encoding: 'utf8' });
  expect(stderr).toMatch(/SyntaxError: Unexpected end of JSON input/);
  expect(status).toBe(1);
});

test('every script that an older Node would pass over in silence is run on the project’s', () => {
  const names = readdirSync(scripts).filter((name) => name.endsWith('.mjs') && name !== 'right-node.mjs');
  const sources = names.map((name) => readFileSync(join(scripts, name), 'utf8'));
  const silent = sources.filter((source) => source.includes('import.meta.main'));
  expect(silent.length).toBeGreaterThan(2);
  // The import of right-node.mjs precedes all others.
  for (const source of silent) expect(/^import .*/m.exec(source)?.[0]).toBe("import './right-node.mjs';");
});
