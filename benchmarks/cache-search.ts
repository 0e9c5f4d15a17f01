/**
 * Measures the response times of the cached table with 200,000 protocols: keystrokes of searches, sorts by every
 * column, deep scrolling. Prints one JSON document.
 *
 *     node benchmarks/cache-search.ts [PROTOCOLS]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProtocolColumn, ProtocolTableQuery } from '../src/contract/protocols.ts';
import { openCache } from '../src/main/cache/cache.ts';
import { quantiles, timed } from './support/quantiles.ts';
import { fillCache, keystrokes, searchTexts } from './support/sample-cache.ts';

const protocols = Number(process.argv[2] ?? 200_000);
const home = mkdtempSync(join(tmpdir(), 'inspection-desk-bench-'));
const cache = openCache(join(home, 'cache.sqlite'));
const connection = 'bench';

const beganMs = performance.now();
await fillCache(cache, connection, protocols);
const fillMs = performance.now() - beganMs;

const table = (query: Partial<ProtocolTableQuery>) => () =>
  cache.protocolTable(connection, ProtocolTableQuery.parse({ limit: 50, ...query }));

const typed = searchTexts(40, protocols).flatMap(keystrokes);

/** Swaps the second and third letters. */
const mistyped = (text: string): string => text.replace(/^(.)(.)(.)/u, '$1$3$2');

/** Measures each search after the table was shown with the same order, as a user would see it. */
const searched = (sort?: ProtocolColumn) => {
  table({ sort })();
  return quantiles(typed.map((text) => timed(table({ text, sort }))));
};

const results = {
  machine: cpus()[0]?.model,
  node: process.version,
  protocols,
  fillMs: Math.round(fillMs),
  sizeBytes: cache.sizeBytes(),
  keystroke: searched(),
  oneLetter: quantiles(typed.filter((text) => text.length === 1).map((text) => timed(table({ text })))),
  keystrokeSorted: searched('City'),
  sort: quantiles(
    ProtocolColumn.options.flatMap((sort) => [false, true].map((descending) => timed(table({ sort, descending })))),
  ),
  deepScroll: quantiles(Array.from({ length: 20 }, (_, i) => timed(table({ sort: 'City', offset: i * 9_999 })))),
  find: quantiles(typed.map((text) => timed(() => cache.find(connection, text, 10)))),
  findMistyped: quantiles(typed.map(mistyped).map((text) => timed(() => cache.find(connection, text, 10)))),
};
process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
cache.close();
rmSync(home, { recursive: true });
