// @ts-check
/**
 * Prepares a fresh clone: installs only what is missing. package.json runs it before the commands that need it, such as
 * `npm start` and `npm test`; a second run finds everything in place. Runs on plain Node 18 without dependencies,
 * because none are installed yet.
 *
 *     node scripts/setup.mjs [--browser] [--retry]
 *
 * `--browser` also looks for a Chromium for the browser tests. `--retry` repeats a download that failed lately.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findInstalledChromium } from './chromium.mjs';
import { findElectron, wantedElectron } from './electron-binary.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const lockFile = join(root, 'package-lock.json');
/** The results of earlier runs. The file is in node_modules, so a new installation discards it. */
const stampFile = join(modules, '.setup.json');

const RETRY_AFTER_MS = 60 * 60 * 1000;
const retry = process.argv.includes('--retry');

/** @typedef {{ lock?: string, electronFailedAt?: number, browserFailedAt?: number, browserFor?: string, kerberosFailedAt?: number }} Stamp */

/** @param {string} line */
const say = (line) => process.stdout.write(`setup: ${line}\n`);

/** @param {string} file @returns {Record<string, unknown>} */
const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
};

/** @returns {Stamp} */
const readStamp = () => readJson(stampFile);

/** @param {Stamp} changes */
const remember = (changes) => writeFileSync(stampFile, JSON.stringify({ ...readStamp(), ...changes }));

/** @param {number | undefined} failedAt */
const failedLately = (failedAt) => !retry && failedAt !== undefined && Date.now() - failedAt < RETRY_AFTER_MS;

/** @param {string} file */
const modifiedAt = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

/**
 * Returns a short reason from the output of a failed download.
 * @param {string} output
 */
const reasonIn = (output) => /Error: (.+)/.exec(output)?.[1] ?? 'no reason given';

/**
 * Runs npm on its own Node, because npm may replace the one in node_modules.
 * @param {readonly string[]} args
 */
const npm = (args) => {
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env;
  return script?.endsWith('.js')
    ? spawnSync(node, [script, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', [...args], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
};

const installPackages = () => {
  const lock = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (readStamp().lock === lock) return;
  if (modifiedAt(join(modules, '.package-lock.json')) < modifiedAt(lockFile)) {
    say('installing packages (npm ci)');
    // `npm ci` would delete the Node that runs this script, which Windows does not allow. `npm install` leaves it in
    // place.
    const command = process.platform === 'win32' && process.execPath.startsWith(modules) ? 'install' : 'ci';
    // Engine warnings are about the machine's Node, but the packages run on the Node that is being installed.
    const { status } = npm([command, '--loglevel=error']);
    if (status !== 0) process.exit(status ?? 1);
  }
  remember({ lock });
};

/** The Node that runs everything else. An install script downloads it, and some machines forbid install scripts. */
const toolchainNode = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

const requireNode = () => {
  if (existsSync(toolchainNode)) return;
  say("the project's Node is missing; get it with: npm rebuild node --ignore-scripts=false");
  process.exit(1);
};

const installElectron = () => {
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH || findElectron() || failedLately(readStamp().electronFailedAt)) return;
  say(`downloading Electron ${wantedElectron()}`);
  const { status, stderr } = spawnSync(toolchainNode, [join(modules, 'electron', 'install.js')], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'inherit', 'pipe'],
    env: { ...process.env, NODE_USE_ENV_PROXY: '1' },
  });
  if (status === 0) return;
  remember({ electronFailedAt: Date.now() });
  say(`Electron cannot be downloaded here (${reasonIn(stderr ?? '')}): the browser preview takes its place`);
};

const provideKerberos = () => {
  if (failedLately(readStamp().kerberosFailedAt)) return;
  const script = join(root, 'scripts', 'kerberos.mjs');
  const { status, stderr } = spawnSync(toolchainNode, [script], { encoding: 'utf8' });
  if (status === 0) return;
  remember({ kerberosFailedAt: Date.now() });
  say(`${stderr.trim()}. The app signs in at no proxy with the account of the system`);
};

const downloadBrowser = () => {
  const cli = join(modules, 'playwright', 'cli.js');
  const { status } = spawnSync(process.execPath, [cli, 'install', 'chromium', '--only-shell'], {
    stdio: 'ignore',
    env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '5000' },
  });
  return status === 0;
};

const installDebianBrowser = () => {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  say('installing the Debian packages chromium and xvfb');
  const packages = ['chromium', 'xvfb', 'xauth'];
  /** @param {readonly string[]} args */
  const apt = (args) => spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  return apt(['update']) && apt(['install', '-y', '--no-install-recommends', ...packages]);
};

const installBrowser = () => {
  const wanted = String(readJson(join(modules, 'playwright', 'package.json')).version);
  const { browserFor, browserFailedAt } = readStamp();
  if (findInstalledChromium() || browserFor === wanted || failedLately(browserFailedAt)) return;
  say('downloading a Chromium for the tests');
  if (downloadBrowser()) return remember({ browserFor: wanted });
  if (installDebianBrowser()) return;
  remember({ browserFailedAt: Date.now() });
  say('no Chromium can be installed here; the browser tests will be skipped');
};

installPackages();
requireNode();
const { status } = spawnSync(toolchainNode, [join(root, 'scripts', 'words.mjs')], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
installElectron();
provideKerberos();
if (process.argv.includes('--browser')) installBrowser();
