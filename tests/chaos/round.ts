/**
 * One round of chaos. Real processes upload a folder to a service with faults, and replace earlier versions of some
 * files. A proxy in front of the storage swallows some files. The kind of storage differs from round to round.
 * Processes are killed at random moments, and others continue until the app reports no more failures. Then the
 * assignment must have each file exactly once, and no earlier version. At any time, it must have the earlier version of
 * a file or the new one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../../src/sandbox/sample/sample-data.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { anyAssignmentId, callWith, signIn } from '../../src/sandbox/testing/client.ts';
import { createSandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { createStorage, type StorageDialect, storageDialects } from '../storages/kinds.ts';
import { findLosses, findProblems, listKeys } from './check.ts';
import { createDriver, uploadAtOnce } from './driver.ts';
import { drawFaults, swallowing } from './faults.ts';
import { writeChaosFolder, writeEarlierFolder } from './folder.ts';

type Round = {
  /**
   * Determines the files, the faults, the kills and the storage, but not the request during which a process is killed:
   * that depends on the machine.
   */
  readonly seed: number;
  readonly files: number;
  /** Called with the next step, so that a round that does not end can be examined. */
  readonly onStep?: (step: string) => void;
};

type RoundResult = {
  readonly kills: number;
  readonly storage: StorageDialect;
  /** The number of requests that met a fault. */
  readonly faults: number;
  /** The number of files that were swallowed. */
  readonly swallowed: number;
  /** One line for each problem; empty after a successful round. */
  readonly problems: readonly string[];
};

/** After this many runs, the faults end. The round fails if the upload is not done after `RUNS_WITHOUT` more runs. */
const RUNS_WITH_FAULTS = 12;
const RUNS_WITHOUT = 5;

/** Runs a round in a temporary directory, which is removed at the end. */
export const runRound = async ({ seed, files, onStep = () => {} }: Round): Promise<RoundResult> => {
  const dir = mkdtempSync(join(tmpdir(), 'desk-chaos-'));
  const storage = storageDialects[seed % storageDialects.length] ?? 'plain';
  const sandbox = await startSandbox({ consent: 'auto', seed, storage: createStorage(storage) });
  try {
    const random = createRandom(seed, 'chaos');
    const root = join(dir, 'folder');
    const expected = writeChaosFolder(root, files, random);
    const call = callWith(sandbox, (await signIn(sandbox)).access_token);
    const assignment = await anyAssignmentId(call);
    const before = await listKeys(call, assignment);
    const home = join(dir, 'home');
    const earlier = join(dir, 'earlier');
    const names = writeEarlierFolder(earlier, expected.keys(), random);
    await uploadAtOnce({ sandbox, home, root: earlier, assignment });
    const { faults } = createSandboxControl(sandbox);
    await faults.add(swallowing(storage, random), ...drawFaults(random));

    const losses = () => findLosses(sandbox, assignment, names);
    const driver = createDriver({ sandbox, home, root, assignment, random, files, findLosses: losses, onStep });
    const doneAmidFaults = await driver.drive(RUNS_WITH_FAULTS);
    onStep('reads and clears the faults');
    const rules = await faults.list();
    const fired = rules.reduce((sum, rule) => sum + rule.fired, 0);
    const swallowed = rules[0]?.fired ?? 0;
    await faults.clear();
    const isDone = doneAmidFaults || (await driver.drive(RUNS_WITHOUT));
    onStep('compares');
    const problems = isDone
      ? await findProblems({ sandbox, call, assignment, before, expected })
      : ['it does not come to an end'];
    const counts = { kills: driver.kills(), storage, faults: fired, swallowed };
    return { ...counts, problems: [...driver.problems, ...problems] };
  } finally {
    onStep('closes the service');
    await sandbox.close();
    rmSync(dir, { recursive: true, force: true });
  }
};
