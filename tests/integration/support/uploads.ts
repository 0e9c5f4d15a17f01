/** Provides small files to upload. Each test has a new folder and a new assignment, and no backoff. */
import { beforeEach } from 'vitest';
import type { Batch, ListedState } from '../../../src/contract/uploads.ts';
import { openSignedIn, type TestDesk, type TestDeskOptions, withoutBackoff } from './desks.ts';
import { makeFolder, manyFiles, type Tree } from './folders.ts';
import { always, expectStored, silence, silentAnswer, storedOn, type TestSandbox, useSandbox } from './sandbox.ts';

type TestUpload = {
  readonly sandbox: TestSandbox;
  readonly files: Tree;
  readonly root: string;
  readonly assignment: string;
  readonly open: (options?: TestDeskOptions) => Promise<TestDesk>;
  /** Starts the upload. Resolves to the id of its batch. */
  readonly start: (desk: TestDesk) => Promise<string>;
  /** Makes the storage stop reading files with these names. */
  readonly holdBack: (...names: readonly string[]) => Promise<void>;
  /** Makes the storage store the file without a response. */
  readonly holdAnswer: (name: string) => Promise<void>;
  readonly stored: () => ReturnType<typeof storedOn>;
  /** Expects exactly one object for each file of the folder, or of `tree`. */
  readonly expectStored: (tree?: Tree) => Promise<void>;
};

/** Starts a sandbox for this file, and provides its tests with files to upload. `count`: the number of files. */
export const useUpload = (count = 40): TestUpload => {
  const sandbox = useSandbox();
  const files = manyFiles(count);
  let assignment: string;
  let root: string;
  beforeEach(() => {
    withoutBackoff();
    assignment = sandbox.newAssignment();
    root = makeFolder(files);
  });
  return {
    sandbox,
    files,
    get root() {
      return root;
    },
    get assignment() {
      return assignment;
    },
    open: (options = {}) => openSignedIn({ sandbox: sandbox.address, ...options }),
    start: async ({ uploads }) => (await uploads.start({ root, assignmentId: assignment })).batchId,
    holdBack: (...names) => sandbox.control.faults.add(...names.map((name) => always('storage-put', silence, name))),
    holdAnswer: (name) => sandbox.control.faults.add(always('storage-put', silentAnswer, name)),
    stored: () => storedOn(sandbox.control, assignment),
    expectStored: (tree = files) => expectStored(sandbox.control, assignment, tree),
  };
};

export const stateOf = async (desk: TestDesk, batch: string, path: string): Promise<ListedState | undefined> =>
  (await desk.filesOf(batch))[path]?.state;

export const isFinished = ({ state }: Batch): boolean => state === 'finished';
