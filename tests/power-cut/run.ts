/**
 * Cuts the power during a recorded session (session.ts): at any of its system calls, with any loss of unflushed
 * changes. The app is opened on each possible disk, with the world as at that moment. The result has to be the same as
 * without the cut.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, type Random } from '../../src/sandbox/sample/sample-data.ts';
import { program } from '../integration/support/runtime.ts';
import { continueIn, fill } from './check.ts';
import { type Content, type Cut, contentAfter, type FileSystem, type Loss } from './disk.ts';
import { type Place, placeIn } from './place.ts';
import { type Operation, recordCalls } from './system-calls.ts';

const LOSSES: readonly Loss[] = ['kept', 'dropped', { tornInBytes: 512 }, { tornInBytes: 4096 }];
const FILE_SYSTEMS: readonly FileSystem[] = ['journal', 'alone'];

export type CutResult = {
  readonly cut: Cut;
  /** One line for each problem; empty if there is none. */
  readonly problems: readonly string[];
};

export type Recording = {
  readonly place: Place;
  /** The changes that the session has made to the data directory, and to the world. */
  readonly home: readonly Operation[];
  readonly world: readonly Operation[];
  readonly remove: () => void;
};

export const recordSession = async (): Promise<Recording> => {
  const directory = mkdtempSync(join(tmpdir(), 'desk-power-cut-'));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const place = placeIn(join(directory, 'place'));
    mkdirSync(join(directory, 'place'));
    const roots = [place.home, place.world] as const;
    const log = join(directory, 'calls');
    const operations = await recordCalls(
      [process.execPath, program('tests/power-cut/session.ts'), join(directory, 'place')],
      { log, roots },
    );
    const refused = place.said();
    if (refused.length > 0) throw new Error(`the session was refused something: ${JSON.stringify(refused)}`);
    return { place, home: below(operations, place.home), world: below(operations, place.world), remove };
  } catch (error) {
    remove();
    throw error;
  }
};

const below = (operations: readonly Operation[], root: string): readonly Operation[] => {
  const isBelow = (path: string): boolean => path === root || path.startsWith(`${root}/`);
  const inodes = new Set(
    operations.flatMap((one) =>
      one.type === 'name' && one.inode !== undefined && isBelow(one.path) ? [one.inode] : [],
    ),
  );
  return operations.filter((one) => ('path' in one ? isBelow(one.path) : inodes.has(one.inode)));
};

/**
 * Opens the app after possible cuts of a session: `states` of them, chosen by `seed`, or all if there are fewer. Calls
 * `onCut` with each result. Resolves to the number of possible cuts. `lies`: whether the disk confirms flushes that it
 * does not make.
 */
export const cutPower = async (
  { place, home, world }: Recording,
  { seed, states, lies = false }: { readonly seed: number; readonly states: number; readonly lies?: boolean },
  onCut: (result: CutResult) => void,
): Promise<number> => {
  const moments = [...new Set(home.map(({ at }) => at))];
  const cuts = moments.flatMap((at) =>
    LOSSES.flatMap((loss) =>
      // If nothing is lost, the file system makes no difference.
      (loss === 'kept' ? FILE_SYSTEMS.slice(0, 1) : FILE_SYSTEMS).map(
        (fileSystem): Cut => ({ at, loss, fileSystem, lies }),
      ),
    ),
  );
  const random = createRandom(seed, 'power-cut');
  for (const cut of chosen(cuts, states, random)) {
    const around: Cut = { ...cut, loss: 'kept' };
    fill(place, [contentAfter(home, cut, random), contentAfter(world, around, random)].map(withoutIndexes));
    onCut({ cut, problems: await continueIn(place) });
  }
  return cuts.length;
};

/** Returns `count` random entries of `all`, in any order; all of them if there are fewer. */
const chosen = <T>(all: readonly T[], count: number, random: Random): readonly T[] => {
  const left = [...all];
  return Array.from({ length: Math.min(count, all.length) }, () =>
    left.splice(random.integer(0, left.length - 1), 1),
  ).flat();
};

/** Removes SQLite's shared-memory indexes, whose changes are not recorded. SQLite rebuilds these files. */
const withoutIndexes = ({ files, folders }: Content): Content => ({
  files: new Map([...files].filter(([path]) => !path.endsWith('-shm'))),
  folders,
});
