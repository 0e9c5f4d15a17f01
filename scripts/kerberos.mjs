// @ts-check
/**
 * Makes the native part of the package `kerberos`, with which the app signs in at proxies as the user of the system. The
 * package's install script would download it on every machine, so it never runs (`allowScripts` in package.json).
 *
 *   node scripts/kerberos.mjs [ARCH...]
 *
 * For this machine it is compiled on Linux, by g++ with the headers of Debian's libkrb5-dev, and downloaded on Windows and
 * macOS. With ARCH, for a release, it is always what the package's authors have compiled, on Linux for older systems than
 * this one. What is there already stays. Exit code 1 if one is missing afterwards, with the reason on standard error.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('../node_modules/kerberos', import.meta.url));

/** Where both ways leave it. */
const made = join(home, 'build', 'Release', 'kerberos.node');

/** Why the program failed; undefined if it did not. @param {string} program @param {readonly string[]} args */
const run = (program, args) => {
  const { status, error, stderr } = spawnSync(program, [...args], { cwd: home, encoding: 'utf8' });
  if (status === 0) return undefined;
  return error?.message ?? /(?:error:|warn install) *(.+)/.exec(stderr)?.[1] ?? `${program} ended with ${status}`;
};

const compile = () => {
  const unix = readdirSync(join(home, 'src/unix')).filter((name) => name.endsWith('.cc'));
  const sources = ['src/kerberos.cc', ...unix.map((name) => `src/unix/${name}`)];
  // The libraries of Kerberos are opened when it is loaded: the app does not depend on them.
  const defines = ['-DKERBEROS_USE_RTLD=1', '-DBUILDING_NODE_EXTENSION'];
  const headers = ['-I', '../node-api-headers/include', '-I', '../node-addon-api'];
  const options = ['-std=c++20', '-O2', '-fPIC', '-shared', '-s', ...defines, ...headers];
  return run('g++', [...options, ...sources, '-ldl', '-o', made]);
};

/** @param {string} arch */
const download = (arch) => run(process.execPath, ['../prebuild-install/bin.js', '--runtime', 'napi', '--arch', arch]);

/** Why there is none for `arch`; undefined if there is one. @param {string} arch @param {boolean} canCompile */
const provide = (arch, canCompile) => {
  // Where the app looks for it: src/main/net/proxy-auth.ts.
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
