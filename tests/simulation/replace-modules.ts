/**
 * Loaded with `node --import`. Replaces parts of the system with parts of the simulation: modules of Node for the
 * modules of `src/main`; timers, clocks and random numbers for the whole process. INSPECTION_DESK_PLANT names a fault
 * of `plants.ts` to plant into the app.
 */
import { createHash } from 'node:crypto';
import { registerHooks } from 'node:module';
import { PLANTS } from './plants.ts';
import { isPresent, present } from './present.ts';
import { replaceClocks } from './virtual-time.ts';

const main = new URL('../../src/main/', import.meta.url).href;
const own = (name: string): string => new URL(`modules/${name}.ts`, import.meta.url).href;

/** The replaced modules, the folder below `src/main` in which each is replaced, and its replacement. */
const REPLACED: readonly (readonly [module: string, below: string, by: string])[] = [
  ['node:timers/promises', '', own('timers-promises')],
  ['node:os', '', own('os')],
  ['node:crypto', '', own('crypto')],
  ['node:fs/promises', '', own('fs-promises')],
  ['node:fs', '', own('fs')],
  ['node:sqlite', '', own('sqlite')],
  ['node:worker_threads', '', own('worker-threads')],
  ['./undici.mjs', 'net/', own('undici')],
];

/** The module whose variable `startMs` each simulated process and thread has for itself. */
const CLOCK = 'async/clock.ts';
const withOwnStart = (source: string): string =>
  source
    .replace(
      'let startMs: number | undefined;',
      `import { running } from '${new URL('virtual-time.ts', import.meta.url).href}';`,
    )
    .replace('startMs ??=', 'const startMs = running().startMs ??=');

const planted = process.env.INSPECTION_DESK_PLANT;
const plant = planted === undefined ? undefined : PLANTS[planted];
if (planted !== undefined && plant === undefined) throw new Error(`there is no fault ${planted}`);

registerHooks({
  resolve: (specifier, context, next) => {
    const parent = context.parentURL ?? '';
    const found = REPLACED.find(([module, below]) => module === specifier && parent.startsWith(`${main}${below}`));
    return found ? { url: found[2], shortCircuit: true } : next(specifier, context);
  },
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (url === `${main}${CLOCK}`) return { ...loaded, source: withOwnStart(String(loaded.source)) };
    if (plant === undefined || url !== `${main}${plant.file}`) return loaded;
    const source = String(loaded.source);
    if (!source.includes(plant.from)) throw new Error(`the fault ${planted} cannot be planted any more`);
    return { ...loaded, source: source.replace(plant.from, plant.to) };
  },
});
replaceClocks();
// oauth4webapi uses both functions: `digest` would compute in another thread, and the history has to determine the
// random values.
Object.defineProperty(crypto.subtle, 'digest', {
  value: async (_: string, data: Uint8Array) => new Uint8Array(createHash('sha256').update(data).digest()).buffer,
});
Object.defineProperty(crypto, 'getRandomValues', {
  value: (into: Uint8Array) => into.map(() => present().random.uint32() & 0xff),
});
const realRandom = Math.random;
Math.random = () => (isPresent() ? present().random.uint32() / 2 ** 32 : realRandom());
