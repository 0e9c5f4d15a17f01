/** Measures how long it takes to index 50,000 assignments, and to match 10,000 folders with the index. */
import { createMatchIndex } from '../../src/main/matching/match-index.ts';
import { createFolders } from './folders.ts';
import { createWorld } from './world.ts';

export type Speed = {
  readonly targets: number;
  readonly folders: number;
  readonly indexS: number;
  readonly matchS: number;
  /** The processor time of the same work, which other programs on the machine do not lengthen. */
  readonly indexCpuS: number;
  readonly matchCpuS: number;
  /** How much larger the heap is with the index, after a garbage collection if that can be requested. */
  readonly indexMb: number;
};

const TARGETS = 50_000;
const FOLDERS = 10_000;

const heapMb = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
};

type Timed<Value> = { readonly value: Value; readonly seconds: number; readonly cpuSeconds: number };

const secondsOf = <Value>(work: () => Value): Timed<Value> => {
  const start = performance.now();
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  return { value, seconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 };
};

export const measureSpeed = (): Speed => {
  const world = createWorld('speed', TARGETS, ['no', 'se', 'dk', 'fi', 'gb', 'de']);
  const folders = createFolders('speed', FOLDERS, world);
  const targets = world.jobs.map(({ target }) => target);
  const before = heapMb();
  const { value: index, seconds: indexS, cpuSeconds: indexCpuS } = secondsOf(() => createMatchIndex(targets));
  const indexMb = heapMb() - before;
  const { seconds: matchS, cpuSeconds: matchCpuS } = secondsOf(() => {
    for (const { path } of folders) index.match({ path });
  });
  return { targets: targets.length, folders: folders.length, indexS, matchS, indexCpuS, matchCpuS, indexMb };
};
