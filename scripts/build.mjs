// @ts-check
/**
 * Builds `out/` if it is older than the sources, or was built for another Electron.
 *
 *     node scripts/build.mjs [--release]
 *
 * `--release` always builds, and refuses an Electron that is only for tests. The build fails if the window's JavaScript
 * exceeds its budget, or if Node cannot parse the code of main or preload.
 */
import './right-node.mjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkBundleSize } from './bundle-size.mjs';
import { findElectron } from './electron-binary.mjs';
import { writeLicences } from './licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = join(root, 'out', '.built');

/**
 * Returns the path, size and time of every file that the build reads.
 * @returns {readonly string[]}
 */
const inputs = () => {
  const sources = ['src', 'docs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  return [...sources, 'electron.vite.config.ts', 'package-lock.json', 'tsconfig.json'].sort().map((path) => {
    const { size, mtimeMs } = statSync(join(root, path));
    return `${path} ${size} ${mtimeMs}`;
  });
};

/** Parses each file that its arguments name. */
const PARSE = `
  const { readFileSync } = require('node:fs');
  const { SourceTextModule } = require('node:vm');
  for (const identifier of process.argv.slice(1)) new SourceTextModule(readFileSync(identifier, 'utf8'), { identifier });
`;

/**
 * Whether Node can parse the code of main and preload. The bundler sometimes writes a chunk that declares a name twice.
 */
const isParsable = () => {
  const paths = ['main', 'preload'].flatMap((folder) =>
    readdirSync(join(root, 'out', folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(root, 'out', folder, path),
    ),
  );
  const args = ['--no-warnings', '--experimental-vm-modules', '-e', PARSE];
  const scripts = paths.filter((path) => /\.[cm]?js$/.test(path));
  return spawnSync(process.execPath, [...args, ...scripts], { stdio: 'inherit' }).status === 0;
};

/**
 * Builds `out/` if necessary.
 * @returns {number} the exit code
 */
export const build = ({ release = false } = {}) => {
  const electron = findElectron();
  if (release && electron?.isOld) {
    process.stderr.write('Not for release: ELECTRON_OVERRIDE_DIST_PATH names an Electron for tests.\n');
    return 1;
  }
  const runtime = electron?.version ?? 'none';
  const stamp = createHash('sha256')
    .update([runtime, ...inputs()].join('\n'))
    .digest('hex');
  if (!release && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return 0;
  process.stderr.write('building\n');
  rmSync(stampFile, { force: true });
  const cli = fileURLToPath(import.meta.resolve('electron-vite/package.json')).replace(
    'package.json',
    'bin/electron-vite.js',
  );
  // A release leaves out what is only for tests.
  const env = { ...process.env, ...(release && { MAIN_VITE_RELEASE: '1' }) };
  const args = [cli, 'build', '--logLevel', 'warn'];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) return status ?? 1;
  writeLicences();
  if (!isParsable()) return 1;
  if (!checkBundleSize()) return 1;
  writeFileSync(stampFile, stamp);
  return 0;
};

if (import.meta.main) process.exitCode = build({ release: process.argv.includes('--release') });
