// @ts-check
/**
 * Provides the native part of the package `kerberos`, which signs in at proxies as the system's user. The package's
 * install script is disabled (`allowScripts` in package.json), because it would download that part on every machine.
 *
 *     node scripts/kerberos.mjs [ARCH...]
 *
 * Without ARCH, provides the part for this machine: on Linux it is compiled by g++ with the headers of Debian's
 * libkrb5-dev, on Windows and macOS it is downloaded. With ARCH, as for a release, always downloads the file that the
 * package's authors have compiled; on Linux, it also runs on older systems. Existing files are kept. If a part is
 * missing afterwards, exits with 1 and writes the reason to standard error.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('../node_modules/kerberos', import.meta.url));

const made = join(home, 'build', 'Release', 'kerberos.node');

/**
 * Runs a program. Returns why it failed; undefined if it succeeded.
 * @param {string} program
 * @param {readonly string[]} args
 */
const run = (program, args) => {
  const { status, error, stderr } = spawnSync(program, [...args], { cwd: home, encoding: 'utf8' });
  if (status === 0) return undefined;
  return error?.message ?? /(?:error:|warn install) *(.+)/.exec(stderr)?.[1] ?? `${program} ended with ${status}`;
};

const compile = () => {
  const unix = readdirSync(join(home, 'src/unix')).filter((name) => name.endsWith('.cc'));
  const sources = ['src/kerberos.cc', ...unix.map((name) => `src/unix/${name}`)];
  // The libraries of Kerberos are opened at run time, so that the app does not depend on them.
  const defines = ['-DKERBEROS_USE_RTLD=1', '-DBUILDING_NODE_EXTENSION'];
  const headers = ['-I', '../node-api-headers/include', '-I', '../node-addon-api'];
  const options = ['-std=c++20', '-O2', '-fPIC', '-shared', '-s', ...defines, ...headers];
  return run('g++', [...options, ...sources, '-ldl', '-o', made]);
};

/** @param {string} arch */
const download = (arch) => run(process.execPath, ['../prebuild-install/bin.js', '--runtime', 'napi', '--arch', arch]);

/**
 * Provides the part for `arch`. Returns why that failed; undefined if the part exists.
 * @param {string} arch
 * @param {boolean} canCompile
 */
const provide = (arch, canCompile) => {
  const place = join(home, 'bin', `${process.platform}-${arch}`, 'kerberos.node');
  if (existsSync(place)) return undefined;
  if (!existsSync(home)) return 'the package kerberos is not installed';
  for (const file of [made, place]) mkdirSync(dirname(file), { recursive: true });
  const reason = canCompile ? compile() : download(arch);
  if (reason === undefined) renameSync(made, place);
  return reason;
};

const forRelease = process.argv.slice(2);
for (const arch of forRelease.length > 0 ? forRelease : [process.arch]) {
  const reason = provide(arch, forRelease.length === 0 && process.platform === 'linux');
  if (reason === undefined) continue;
  process.stderr.write(`no module kerberos for ${process.platform}-${arch}: ${reason}\n`);
  process.exitCode = 1;
}
