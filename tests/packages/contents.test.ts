/** The contents of the packages for each system: only what runs on that system. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractFile, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect, test } from 'vitest';
import { pack } from './support/pack.ts';
import type { PackedPlatform } from './support/stub-electron.ts';

/** The characters that represent a fuse in Electron's fuse wire. */
const OFF = '0'.charCodeAt(0);
const ON = '1'.charCodeAt(0);

/** The maximum size of the archive, 3.5 MB of which are pictures of the user guide. */
const LARGEST_BYTES = 10_500_000;

/** The allowed paths of the app's files. */
const allowed = [
  /^build\/tray\/[\w@.]+\.png$/,
  /^package\.json$/,
  /^out\/(main|preload)\/([\w-]+\/)*[\w-]+\.(js|cjs)$/,
  /^out\/renderer\/(index\.html|licences\.json|assets\/[\w.-]+\.(js|css|svg|woff2?|ttf))$/,
  /^out\/renderer\/(de|en|sv)\/[\w-]+\.png$/,
  /^node_modules\/keytar\/(package\.json|LICENSE(\.md)?|lib\/keytar\.js|prebuilds\/[\w-]+\/keytar\.node)$/,
  /^node_modules\/kerberos\/(package\.json|LICENSE|bin\/[\w-]+\/kerberos\.node)$/,
];

const files = (archive: string): readonly string[] => {
  const paths = listPackage(archive, { isPack: false }).map((path) => path.slice(1).replaceAll('\\', '/'));
  const folders = new Set(
    paths.flatMap((path) => path.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))),
  );
  return paths.filter((path) => !folders.has(path));
};

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Returns the paths of the native modules for `system`. That of kerberos is included only if scripts/kerberos.mjs has
 * provided it on this machine.
 */
const bindings = (system: string): readonly string[] => {
  const kerberos = `node_modules/kerberos/bin/${system}/kerberos.node`;
  const keytar = `node_modules/keytar/prebuilds/${system}/keytar.node`;
  return existsSync(join(root, kerberos)) ? [kerberos, keytar] : [keytar];
};

const systems: readonly { readonly platform: PackedPlatform; readonly system: string; readonly command: string }[] = [
  { platform: 'linux', system: 'linux-x64', command: 'inspection-desk' },
  { platform: 'win32', system: 'win32-x64', command: 'bin/inspection-desk.cmd' },
  { platform: 'darwin', system: 'darwin-x64', command: 'Inspection Desk.app/Contents/Resources/inspection-desk' },
];

test.each(systems)('packs for $platform what runs there', async ({ platform, system, command }) => {
  const { archive, folder, program, resources } = await pack({ platform, project: root });
  const packed = files(archive);

  expect(packed.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
  expect(packed).toEqual(
    expect.arrayContaining(['out/main/index.js', 'out/preload/index.cjs', 'out/renderer/index.html']),
  );
  expect(packed.filter((path) => path.endsWith('.node')).sort()).toEqual(bindings(system));
  // All JavaScript is in the archive, whose integrity Electron checks.
  const unpacked = readdirSync(join(resources, 'app.asar.unpacked'), { recursive: true, withFileTypes: true });
  expect(unpacked.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual(
    bindings(system).map((path) => basename(path)),
  );
  expect(statSync(archive).size).toBeLessThan(LARGEST_BYTES);
  expect(existsSync(join(folder, command))).toBe(true);
  // Only a release (release.test.ts) has an address for updates.
  expect(JSON.parse(extractFile(archive, 'package.json').toString())).not.toHaveProperty('release');
  expect(existsSync(join(resources, 'app-update.yml'))).toBe(false);

  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const languages = names.flatMap((name) => /([\w-]+)\.(?:pak|lproj)$/.exec(name)?.[1] ?? []);
  expect([...new Set(languages)].filter((name) => name !== 'locale').sort()).toEqual(
    platform === 'darwin' ? ['de', 'en', 'sv'] : ['de', 'en-US', 'sv'],
  );

  const { version: _, ...fuses } = await getCurrentFuseWire(program);
  expect(fuses).toMatchObject({
    [FuseV1Options.RunAsNode]: OFF,
    [FuseV1Options.EnableCookieEncryption]: ON,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: OFF,
    [FuseV1Options.EnableNodeCliInspectArguments]: OFF,
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: ON,
    [FuseV1Options.OnlyLoadAppFromAsar]: ON,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: OFF,
  });
});

test('no desktop starts the AppImage without the sandbox of Chromium', async () => {
  let entry = '';
  await pack({ platform: 'linux', target: 'AppImage', onDesktopEntry: (text) => (entry = text) });
  expect(entry).toMatch(/^Exec=AppRun .*%U$/m);
  expect(entry).not.toContain('--no-sandbox');
});
