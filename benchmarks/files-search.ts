/**
 * Measures how long the search for files takes in a ledger of 1,000,000 files: texts as they are typed, hashes, filters
 * and deep scrolling. Prints one JSON document, and the table of docs/performance.md on standard error.
 *
 *     node benchmarks/files-search.ts [FILES]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileQuery } from '../src/contract/files.ts';
import { createFileFinder } from '../src/main/uploads/find/find-worker.ts';
import { openLedger } from '../src/main/uploads/ledger/ledger.ts';
import { quantiles } from './support/quantiles.ts';
import { assignmentAt, fillLedger, hashAt, sampleName } from './support/sample-ledger.ts';

const files = Number(process.argv[2] ?? 1_000_000);
const home = mkdtempSync(join(tmpdir(), 'inspection-desk-bench-'));
const ledgerPath = join(home, 'ledger.sqlite');
const indexPath = join(home, 'files.sqlite');
const connectionId = 'bench';
const ledger = openLedger(ledgerPath);
const { batches } = await fillLedger(ledger, connectionId, files);

const finder = createFileFinder({ ledgerPath, indexPath }, (_, AssignmentIds) => AssignmentIds.map(sampleName));
const find = (query: Partial<FileQuery>, complete = false) =>
  finder.find(connectionId, FileQuery.parse({ limit: 50, ...query }), complete, undefined);
/**
 * Measures times by the clock, and the processor time of a query, which depends little on other programs on the
 * machine.
 */
const measure = async (queries: readonly Partial<FileQuery>[]) => {
  const samples: number[] = [];
  const before = process.cpuUsage();
  for (const query of queries) {
    const begunMs = performance.now();
    await find(query);
    samples.push(performance.now() - begunMs);
  }
  const { user, system } = process.cpuUsage(before);
  return { ...quantiles(samples), meanCpuMs: Number(((user + system) / 1000 / queries.length).toFixed(2)) };
};
const times = (count: number, query: (index: number) => Partial<FileQuery>) =>
  Array.from({ length: count }, (_, i) => query(i));
const typed = (text: string) => Array.from(text, (_, end) => ({ text: text.slice(0, end + 1) }));

const beganMs = performance.now();
const first = await find({ text: 'kitchen' });
const firstResultMs = performance.now() - beganMs;
await find({}, true);
const indexMs = performance.now() - beganMs;

const someFile = (index: number): number => (index * 7_919) % files;
const about = {
  machine: cpus()[0]?.model,
  node: process.version,
  load: loadavg()[0],
  files,
  batches,
  firstResultMs: Math.round(firstResultMs),
  firstTotal: first.total,
  indexSeconds: Math.round(indexMs / 1000),
  ledgerBytes: statSync(ledgerPath).size,
  indexBytes: statSync(indexPath).size,
};
const measured = {
  keystroke: await measure(
    [
      'img_0123',
      'kitchen photos',
      'mill street 41 roof',
      'Scan 2024-03 certificate',
      'DSC0042',
      'invoice garage',
    ].flatMap(typed),
  ),
  oneLetter: await measure(Array.from('abcdefghijklmnopqrstuvwxyz0123456789', (text) => ({ text }))),
  name: await measure(times(60, (i) => ({ text: `IMG_${String(someFile(i) % 10_000).padStart(4, '0')}` }))),
  nothing: await measure(times(30, (i) => ({ text: `zzq${i} kitchen` }))),
  address: await measure(times(60, (i) => ({ text: sampleName(assignmentAt(i * 13)) }))),
  addressAndName: await measure(times(60, (i) => ({ text: `${sampleName(assignmentAt(i * 13))} kitchen img` }))),
  hash: await measure(times(60, (i) => ({ sha256: hashAt(someFile(i)) }))),
  hashBeginning: await measure(times(60, (i) => ({ sha256: hashAt(someFile(i)).slice(0, 8) }))),
  failed: await measure(times(30, (i) => ({ states: ['failed'], text: i % 2 ? 'kitchen' : '' }))),
  uploaded: await measure(times(30, (i) => ({ states: ['done'], text: i % 2 ? 'roof 2024' : '' }))),
  oneAssignment: await measure(times(60, (i) => ({ AssignmentId: assignmentAt(i * 17), text: i % 2 ? 'img' : '' }))),
  oneDay: await measure(
    times(30, (i) => ({ fromMs: 1_700_000_000_000 + i * 86_400_000, beforeMs: 1_700_086_400_000 + i * 86_400_000 })),
  ),
  deepScroll: await measure(times(40, (i) => ({ offset: Math.floor((files / 41) * i) }))),
  deepScrollOfText: await measure(times(40, (i) => ({ text: 'kitchen', offset: i * 240 }))),
};
process.stdout.write(`${JSON.stringify({ ...about, ...measured }, undefined, 2)}\n`);
const rows = [
  ['each letter of six texts as they are typed', measured.keystroke],
  ['one letter or digit', measured.oneLetter],
  ['a file name', measured.name],
  ['words that no file has', measured.nothing],
  ['an address with its city', measured.address],
  ['an address and two words of the file', measured.addressAndName],
  ['a whole hash', measured.hash],
  ['eight digits of a hash', measured.hashBeginning],
  ['failed files, with and without a word', measured.failed],
  ['uploaded files, with and without words', measured.uploaded],
  ['the files of one assignment', measured.oneAssignment],
  ['the files of one day', measured.oneDay],
  ['a window of all files, at any depth', measured.deepScroll],
  ['a window of what a word finds, at any depth', measured.deepScrollOfText],
] as const;
const table = [
  '| what is searched for | p50 | p95 | processor, mean |',
  '|---|---:|---:|---:|',
  ...rows.map(
    ([what, { p50Ms, p95Ms, meanCpuMs }]) =>
      `| ${what} | ${p50Ms.toFixed(1)} ms | ${p95Ms.toFixed(1)} ms | ${meanCpuMs.toFixed(1)} ms |`,
  ),
];
process.stderr.write(`${table.join('\n')}\n`);
finder.close();
ledger.close();
rmSync(home, { recursive: true });
