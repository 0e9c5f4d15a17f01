/**
 * Measures how long a new upload with 10,000 folders and 100,000 files takes until it can be reviewed. The folders are
 * matched with 50,000 assignments from the offline data, in the whole app without a window. Prints one JSON document.
 *
 *     node benchmarks/drafts.ts [FOLDERS]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Draft } from '../src/contract/drafts.ts';
import { openCache } from '../src/main/cache/cache.ts';
import { createDesk } from '../src/main/core/desk.ts';
import { sourceParts } from '../src/main/hosts/shared/source-parts.ts';
import { openConfSettings } from '../src/main/settings/conf-settings.ts';
import { connectionIdOf } from '../src/main/settings/resolve-connection.ts';
import { createFolders } from './match/folders.ts';
import { createWorld } from './match/world.ts';
import { quantiles } from './support/quantiles.ts';

const folders = Number(process.argv[2] ?? 10_000);
const FILES_EACH = 10;
const TARGETS = 50_000;
const RESOLUTION_MS = 5;

const scratch = mkdtempSync(join(tmpdir(), 'inspection-desk-bench-'));
const root = join(scratch, 'Jobs');
const home = join(scratch, 'home');
// No service responds there, so the offline data is used.
const connection = { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', clientId: 'bench' };

const world = createWorld('drafts', TARGETS, ['no', 'se', 'dk', 'fi', 'gb', 'de']);
const names = new Set(createFolders('drafts', folders * 3, world).map(({ path }) => path.replaceAll('/', ', ')));
for (const name of [...names].slice(0, folders)) {
  mkdirSync(join(root, name), { recursive: true });
  for (let file = 0; file < FILES_EACH; file += 1) writeFileSync(join(root, name, `photo ${file}.jpg`), 'x');
}
mkdirSync(join(home, 'cache'), { recursive: true });
const cache = openCache(join(home, 'cache', 'cache.sqlite'));
const Items = world.jobs
  .slice(0, TARGETS)
  .map(({ target: { InspectionProtocolId: _, ZipCode: _zip, InspectionDate: _date, ...assignment } }) => assignment);
const value = { Items, Count: Items.length, TotalCount: Items.length };
const read = { value, unreadable: 0, source: 'service', fetchedAtMs: Date.now() } as const;
await cache.putResponse(cache.beginRequest(connectionIdOf(connection)), 'projects/', read);
// The list of protocols is empty and complete.
await cache.putResponse(cache.beginRequest(connectionIdOf(connection)), 'protocols', { ...read, value: [] });
cache.close();

const desk = await createDesk({
  ...sourceParts,
  home,
  version: '1.0.0',
  openSettings: openConfSettings,
  policy: {},
  connectionLayers: [connection],
  redirect: () => ({ open: () => Promise.reject(new Error('nobody signs in')) }),
  openExternal: async () => {},
  pickFolder: async () => undefined,
  notify: () => {},
  keepAwake: () => () => {},
});
const { drafts } = desk.handlers;
const phases: Record<string, number> = {};
let peakBytes = 0;
const idleBytes = process.memoryUsage.rss();
const watching = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}, 20);
const late = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
late.enable();
/** The longest step of the main thread: the most processor time between two ticks of a timer. */
let busiestMs = 0;
let tick = process.threadCpuUsage();
const counting = setInterval(() => {
  const { user, system } = process.threadCpuUsage(tick);
  busiestMs = Math.max(busiestMs, (user + system) / 1000);
  tick = process.threadCpuUsage();
}, RESOLUTION_MS);
const beganMs = performance.now();
const usedBefore = process.cpuUsage();
const seconds = (): number => Number(((performance.now() - beganMs) / 1000).toFixed(2));

const { folderId } = desk.adopt({ root });
const ready = new Promise<Draft>((resolve) => {
  desk.onEvent((event) => {
    if (event.type !== 'draft' || event.value === undefined) return;
    phases[event.value.phase] ??= seconds();
    if (event.value.phase === 'ready') resolve(event.value);
  });
});
await drafts.open({ folderIds: [folderId] });
const draft = await ready;
const used = process.cpuUsage(usedBefore);
late.disable();
clearInterval(watching);
clearInterval(counting);

const timedCall = async (call: () => unknown): Promise<number> => {
  const begun = performance.now();
  await call();
  return performance.now() - begun;
};
const windows: number[] = [];
for (let offset = 0; offset < draft.counts.all; offset += 997) {
  windows.push(await timedCall(() => drafts.rows({ filter: 'all', descending: false, offset, limit: 100 })));
}
const delayMs = (ns: number): number => Number(Math.max(0, ns / 1e6 - RESOLUTION_MS).toFixed(1));
const results = {
  machine: cpus()[0]?.model,
  node: process.version,
  rows: draft.counts.all,
  files: draft.files,
  assignments: draft.assignments.known,
  counts: draft.counts,
  /** The time until each phase was first reported, in seconds. */
  phases,
  /** The processor time of all threads. Other programs on the machine lengthen it only a little. */
  processorSeconds: Number(((used.user + used.system) / 1e6).toFixed(1)),
  load: loadavg()[0],
  mainLateP99Ms: delayMs(late.percentile(99)),
  mainLateMaxMs: delayMs(late.max),
  mainBusiestMs: Number(busiestMs.toFixed(1)),
  idleMb: Math.round(idleBytes / 1e6),
  peakMb: Math.round(peakBytes / 1e6),
  window: quantiles(windows),
};
process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
await desk.close();
rmSync(scratch, { recursive: true });
