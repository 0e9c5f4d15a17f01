/**
 * How long the cached table takes to answer with 200,000 protocols: keystrokes of searches, sorts by every column, deep
 * scrolling. Prints one JSON document. `node benchmarks/cache-search.ts [PROTOCOLS]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProtocolColumn, ProtocolTableQuery } from '../src/contract/offline.ts';
import { openCache } from '../src/main/cache/cache.ts';
import { sampleProtocol } from '../src/sandbox/sample/protocols.ts';

const protocols = Number(process.argv[2] ?? 200_000);
const home = mkdtempSync(join(tmpdir(), 'inspection-desk-bench-'));
const { cache } = openCache(join(home, 'cache.sqlite'));
const connection = 'bench';

const fillMs = timed(() => {
  const pageSize = 1000;
  for (let page = 1; (page - 1) * pageSize < protocols; page += 1) {
    const Items = Array.from({ length: pageSize }, (_, i) => sampleProtocol(1, (page - 1) * pageSize + i, protocols));
    const frame = { Items, Count: pageSize, TotalCount: protocols, CurrentPage: page };
    cache.putProtocols(connection, frame, {}, Date.now());
  }
});

function timed(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

const quantiles = (samples: readonly number[]) => {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number) => Number(sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(2));
  return { samples: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
};

const table = (query: Partial<ProtocolTableQuery>) => () =>
  cache.table(connection, ProtocolTableQuery.parse({ limit: 100, ...query }));

/** Every beginning of the words that the samples have: what a person's keystrokes ask for. */
const places = Array.from({ length: 40 }, (_, i) => sampleProtocol(1, i * 997, protocols));
const typed = places
  .flatMap(({ Address, City }) => [Address, `${City} ${Address.split(' ')[0]}`])
  .flatMap((text) => Array.from({ length: text.length }, (_, end) => text.slice(0, end + 1)));

const results = {
  machine: cpus()[0]?.model,
  node: process.version,
  protocols,
  fillMs: Math.round(fillMs),
  sizeBytes: cache.sizeBytes(),
  keystroke: quantiles(typed.map((text) => timed(table({ text })))),
  oneLetter: quantiles(typed.filter((text) => text.length === 1).map((text) => timed(table({ text })))),
  keystrokeSorted: quantiles(typed.map((text) => timed(table({ text, sort: 'City' })))),
  sort: quantiles(
    ProtocolColumn.options.flatMap((sort) => [false, true].map((descending) => timed(table({ sort, descending })))),
  ),
  deepScroll: quantiles(Array.from({ length: 20 }, (_, i) => timed(table({ sort: 'City', offset: i * 9_999 })))),
  find: quantiles(typed.map((text) => timed(() => cache.find(connection, text, 10)))),
  overviewMs: Math.round(timed(() => cache.overview(connection, 'auto'))),
};
process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
cache.close();
rmSync(home, { recursive: true });
