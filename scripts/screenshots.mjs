// @ts-check
/** Takes the README's picture anew, from the end-to-end test that uploads a folder. Needs Electron and a display. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const playwright = fileURLToPath(import.meta.resolve('@playwright/test/cli'));

const options = ['--project', 'electron', '--grep', 'uploads 300 files'];
const status =
  build() || spawnSync(process.execPath, [playwright, 'test', ...options], { cwd: root, stdio: 'inherit' }).status;
const [picture] = globSync('test-results/*/uploading.png', { cwd: root });
if (status !== 0 || picture === undefined) process.exit(1);
mkdirSync(new URL('../docs/images/', import.meta.url), { recursive: true });
copyFileSync(new URL(`../${picture}`, import.meta.url), new URL('../docs/images/upload.png', import.meta.url));
