/**
 * Replaces what the engine uses of the system by the simulation's own, for `node --import`: modules of Node for the modules of `src/main`,
 * timers, clocks and random numbers for all of the process.
 * INSPECTION_DESK_PLANT names a fault of `plants.ts` that is planted into the engine.
 */
import { registerHooks } from 'node:module';
import { PLANTS } from './plants.ts';
import { isPresent, present } from './present.ts';
import { replaceClocks } from './virtual-time.ts';

const main = new URL('../../src/main/', import.meta.url).href;
const own = (name: string): string => new URL(`modules/${name}.ts`, import.meta.url).href;

/** The modules of Node that are replaced, and for which folder of `src/main`. */
const REPLACED: readonly (readonly [module: string, below: string, by: string])[] = [
  ['node:timers/promises', '', own('timers-promises')],
  ['node:os', 'async/', own('os')],
  ['node:crypto', 'uploads/engine/', own('crypto')],
  ['node:fs/promises', 'uploads/source/', own('fs-promises')],
  ['node:fs', 'uploads/source/paths.ts', own('fs')],
];

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
    if (plant === undefined || url !== `${main}${plant.file}`) return loaded;
    const source = String(loaded.source);
    if (!source.includes(plant.from)) throw new Error(`the fault ${planted} cannot be planted any more`);
    return { ...loaded, source: source.replace(plant.from, plant.to) };
  },
});
replaceClocks();
const realRandom = Math.random;
Math.random = () => (isPresent() ? present().random.uint32() / 2 ** 32 : realRandom());
