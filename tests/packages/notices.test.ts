/** Third-party notices of a package: every bundled package has its licence, and is in the SBOM. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sbomOf } from '../../scripts/sbom.mjs';
import { idOf, shippedPackages } from '../../scripts/shipped-packages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const Notices = z.array(z.object({ name: z.string(), version: z.string(), licence: z.string(), text: z.string() }));
const Sbom = z.object({ components: z.array(z.object({ 'bom-ref': z.string() })) });

/** Returns the folders of the packages whose code is in main's bundles, from the bundler's comments. */
const foldersInMain = (): ReadonlySet<string> => {
  const folder = join(root, 'out/main');
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  const code = scripts.map((path) => readFileSync(join(folder, path), 'utf8')).join('\n');
  const marks = code.matchAll(/^\s*\/\/ (node_modules\/(?:\S+\/node_modules\/)?(?:@[^/\s]+\/)?[^/\s]+)\//gm);
  const folders = new Set([...marks].map(([, path = '']) => path));
  if (folders.size === 0) throw new Error('the bundles do not mark which packages they have');
  return folders;
};

/** Returns the packages whose code is in main's bundles, as their own manifests name them. */
const bundledInMain = () =>
  [...foldersInMain()].map((folder) =>
    idOf(
      z
        .object({ name: z.string(), version: z.string() })
        .parse(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))),
    ),
  );

test('has the notice of every package, in the window and beside the program', () => {
  const notices = Notices.parse(JSON.parse(readFileSync(join(root, 'out/renderer/licences.json'), 'utf8')));
  const named = notices.map(idOf);
  expect(named).toEqual(expect.arrayContaining(bundledInMain()));
  expect(named.map((id) => id.replace(/@[^@]+$/, ''))).toEqual(
    expect.arrayContaining(['@github/keytar', 'electron', 'kerberos', 'node-addon-api', 'react', 'undici', 'zod']),
  );
  expect(named.filter((id) => id.startsWith('prebuild-install@'))).toEqual([]);
  const beside = readFileSync(join(root, 'out/THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const { name, version, licence, text } of notices) {
    expect(text, name).not.toBe('');
    expect(beside).toContain(`${name} ${version} (${licence})\n\n${text}\n`);
  }
});

test('lists every package in the SBOM, and no tool', async () => {
  const { stdout } = await promisify(execFile)(
    `npm sbom --sbom-format cyclonedx | "${process.execPath}" scripts/sbom.mjs`,
    {
      cwd: root,
      shell: true,
      maxBuffer: 50_000_000,
    },
  );
  const listed = Sbom.parse(JSON.parse(stdout)).components.map((one) => one['bom-ref']);
  expect(listed.toSorted()).toEqual(shippedPackages().map(idOf).toSorted());
  expect(listed).toEqual(expect.arrayContaining(bundledInMain()));
  expect(listed.filter((id) => /^(vite|vitest|electron-builder|typescript)@/.test(id))).toEqual([]);
});

test('makes no SBOM without a package that is shipped', () => {
  const all = {
    metadata: { component: { 'bom-ref': 'desk@1.0.0' } },
    components: [{ 'bom-ref': 'zod@4.0.0' }],
    dependencies: [],
  };
  expect(() => sbomOf(all, ['zod@4.0.0', 'undici@7.0.0'])).toThrow('undici@7.0.0');
});
