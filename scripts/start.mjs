// @ts-check
/**
 * `npm start`: runs the app in Electron if there is a binary and a display, otherwise in the browser preview. If no
 * connection is set up yet, the app opens with sample data. Arguments after `--` are passed on: `npm start -- --home
 * DIR`.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { findElectron, isWithoutSandbox } from './electron-binary.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const preview = fileURLToPath(new URL('../src/main/hosts/preview/main.ts', import.meta.url));

const hasDisplay = () => process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/** @returns {{ readonly command: string, readonly args: readonly string[] }} */
const host = () => {
  const electron = findElectron();
  if (!electron || !hasDisplay()) return { command: process.execPath, args: [preview] };
  return { command: electron.path, args: [...(isWithoutSandbox() ? ['--no-sandbox'] : []), root] };
};

const status = build();
if (status !== 0) process.exit(status);

const { command, args } = host();
const child = spawn(command, [...args, '--sample', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  // The app has its own process group. Otherwise a terminal's Ctrl-C would reach it twice, and the second signal kills
  // Electron.
  detached: process.platform !== 'win32',
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  process.stderr.write(`${command} cannot be started: ${error.message}\n`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
});
