// @ts-check
/**
 * `npm run bench:ui [-- --protocols N --files N --folders N --record]`: builds the app as it is shipped, and measures
 * its window (benchmarks/ui/). Needs Electron, and a display or an Xvfb.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { onDisplay } from './on-display.mjs';

const bench = fileURLToPath(new URL('../benchmarks/ui/main.ts', import.meta.url));
const [program = '', ...args] = [...onDisplay(), process.execPath, bench, ...process.argv.slice(2)];
process.exitCode = build() || (spawnSync(program, args, { stdio: 'inherit' }).status ?? 1);
