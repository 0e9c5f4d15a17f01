// @ts-check
/**
 * `npm run screenshots [-- --language en|sv|de --looks]`: retakes all screenshots in docs/images, or those of one
 * language. `--looks` takes more screenshots, for review only. Needs Electron and a display or an Xvfb.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { onDisplay } from './on-display.mjs';

const script = fileURLToPath(new URL('screenshots/main.ts', import.meta.url));
const [program = '', ...args] = [...onDisplay(), process.execPath, script, ...process.argv.slice(2)];
process.exitCode = build() || (spawnSync(program, args, { stdio: 'inherit' }).status ?? 1);
