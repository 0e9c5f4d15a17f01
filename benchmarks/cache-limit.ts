/**
 * Measures how long the event loop is blocked while the offline data is brought below its limit. Fills a cache with
 * 20,000 protocols, their assignments and inspection points, and halves it. Prints one JSON document. `turns`: the
 * processor time of each turn of the event loop.
 *
 *     node benchmarks/cache-limit.ts [PROTOCOLS]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCache } from '../src/main/cache/cache.ts';
import { quantiles } from './support/quantiles.ts';
import { fillAnswers, fillCache } from './support/sample-cache.ts';

const protocols = Number(process.argv[2] ?? 20_000);
const home = mkdtempSync(join(tmpdir(), 'inspection-desk-bench-'));
let limitBytes = Number.POSITIVE_INFINITY;
const cache = openCache(join(home, 'cache.sqlite'), { limitBytes: () => limitBytes });

await fillCache(cache, 'bench', protocols);
await fillAnswers(cache, 'bench', protocols);
await cache.makeRoom();
const fullBytes = cache.sizeBytes();

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
const turns: number[] = [];
let isTrimming = true;
let lastMs = processorMs();
const watch = (): void => {
  const nowMs = processorMs();
  turns.push(nowMs - lastMs);
  lastMs = nowMs;
  if (isTrimming) setImmediate(watch);
};
setImmediate(watch);

limitBytes = fullBytes / 2;
const beganMs = performance.now();
await cache.makeRoom();
isTrimming = false;
const trimMs = performance.now() - beganMs;

const results = {
  machine: cpus()[0]?.model,
  node: process.version,
  protocols,
  fullBytes,
  leftBytes: cache.sizeBytes(),
  trimMs: Math.round(trimMs),
  turns: quantiles(turns),
  over20Ms: turns.filter((ms) => ms > 20).length,
};
process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
cache.close();
rmSync(home, { recursive: true });
