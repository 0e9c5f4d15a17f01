/**
 * One round of chaos: a folder is uploaded by real processes to a service with faults, and replaces earlier versions of
 * some of its files. The process is killed at random moments and another goes on, until all is done. Then the service's
 * assignment must hold each file exactly once, and none of the earlier versions.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandboxControl } from '../../src/sandbox/control-client.ts';
import { createRandom } from '../../src/sandbox/sample/prng.ts';
import { anyAssignmentId, callWith, signIn } from '../../src/sandbox/testing/client.ts';
import { spawnSandbox } from '../../src/sandbox/testing/process.ts';
import { findProblems, listKeys } from './check.ts';
import { createDriver, uploadAtOnce } from './driver.ts';
import { drawFaults } from './faults.ts';
import { writeChaosFolder, writeEarlierFolder } from './folder.ts';

type Round = {
  /** Decides about files, faults and kills; which request meets a kill is up to the machine. */
  readonly seed: number;
  readonly files: number;
};

type RoundResult = {
  readonly kills: number;
  /** Requests that met a fault. */
  readonly faults: number;
  /** What is not as it has to be; empty after a good round. */
  readonly problems: readonly string[];
};

/** The service works again after this many runs; an upload that is not done soon afterwards never will be. */
const RUNS_WITH_FAULTS = 12;
const RUNS_WITHOUT = 5;

/** Runs a round in a temporary directory, which is removed. */
export const runRound = async ({ seed, files }: Round): Promise<RoundResult> => {
  const dir = mkdtempSync(join(tmpdir(), 'desk-chaos-'));
  const sandbox = await spawnSandbox('--seed', String(seed));
  try {
    const random = createRandom(seed, 'chaos');
    const root = join(dir, 'folder');
    const expected = writeChaosFolder(root, files, random);
    const call = callWith(sandbox, (await signIn(sandbox)).access_token);
    const assignment = await anyAssignmentId(call);
    const before = await listKeys(call, assignment);
    const home = join(dir, 'home');
    const earlier = join(dir, 'earlier');
    writeEarlierFolder(earlier, expected.keys(), random);
    await uploadAtOnce({ sandbox, home, root: earlier, assignment });
    const { faults } = createSandboxControl(sandbox);
    await faults.add(...drawFaults(random));

    const driver = createDriver({ sandbox, home, root, assignment, random, files });
    const doneAmidFaults = await driver.drive(RUNS_WITH_FAULTS);
    const fired = (await faults.list()).reduce((sum, rule) => sum + rule.fired, 0);
    await faults.clear();
    const isDone = doneAmidFaults || (await driver.drive(RUNS_WITHOUT));
    const problems = isDone
      ? await findProblems({ sandbox, call, assignment, before, expected })
      : ['it does not come to an end'];
    return { kills: driver.kills(), faults: fired, problems: [...driver.problems, ...problems] };
  } finally {
    await sandbox.close();
    rmSync(dir, { recursive: true, force: true });
  }
};
