/**
 * Creates a tree of job folders, as an office has it, from the sandbox's assignments, with the right assignment of each
 * folder.
 */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AssignmentSummary } from '../../../src/contract/resources.ts';
import { createSampleData } from '../../../src/sandbox/sample/sample-data.ts';

/** The defaults of the sandbox. */
const SEED = 1;
const PROTOCOLS = 240;
/** The minimum number of protocols, rounded up to tens, whose assignments are enough for all jobs. */
export const JOB_PROTOCOLS = 80;

export type JobFolder = {
  readonly name: string;
  /**
   * `clear`: one assignment has this address. `typo`: as `clear`, with a typing mistake. `ambiguous`: several
   * assignments have it. `foreign`: none has it.
   */
  readonly kind: 'clear' | 'typo' | 'ambiguous' | 'foreign';
  /** The assignment of its files, if any. */
  readonly assignment?: AssignmentSummary;
};

type JobTree = {
  readonly folders: readonly JobFolder[];
  /** The AssignmentId of each content, by its SHA-256. */
  readonly truth: ReadonlyMap<string, string>;
};

/** The assignments of a sandbox with `count` protocols, by their addresses. */
const atAddress = (count: number): ReadonlyMap<string, readonly AssignmentSummary[]> => {
  const sample = createSampleData(SEED, count);
  const protocols = sample.protocolPage(1, count, '').Items;
  const ofProtocols = protocols.flatMap(
    ({ InspectionProtocolId }) => sample.assignmentsOf(InspectionProtocolId)?.Items ?? [],
  );
  const all = [...ofProtocols, ...sample.projectAssignments(undefined).Items];
  return Map.groupBy(all, ({ Address, City }) => `${Address}, ${City}`);
};

/** Swaps two letters of the street in the name. */
const withTypo = (name: string): string => {
  const at = name.search(/\p{L}{6,}/u) + 3;
  return name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2);
};

const foreign = ['Invoices 2026', 'Holiday photos', 'Old templates', 'Price lists', 'To sort'];

const isOpen = ({ AssignmentStatus }: AssignmentSummary): boolean =>
  AssignmentStatus === 'PENDING' || AssignmentStatus === 'IN_PROGRESS' || AssignmentStatus === 'PLANNED';

/** Plans 60 jobs (33 clear, 12 with a typo, 10 ambiguous, 5 foreign) for a service with this number of protocols. */
export const planJobs = (protocols = PROTOCOLS): readonly JobFolder[] => {
  const groups = [...atAddress(protocols)];
  const single = groups.filter(([, found]) => found.length === 1 && found.every(isOpen));
  const several = groups.filter(([, found]) => found.length >= 2 && found.every(isOpen));
  const clear = single.slice(0, 33).map(([name, [assignment]]) => ({ name, kind: 'clear', assignment }) as JobFolder);
  const typo = single
    .slice(33)
    .filter(([name]) => /\p{L}{6,}/u.test(name))
    .slice(0, 12)
    .map(([name, [assignment]]) => ({ name: withTypo(name), kind: 'typo', assignment }) as JobFolder);
  const ambiguous = several
    .slice(0, 10)
    .map(([name, found]) => ({ name, kind: 'ambiguous', assignment: found.at(-1) }) as JobFolder);
  return [...clear, ...typo, ...ambiguous, ...foreign.map((name) => ({ name, kind: 'foreign' }) as const)];
};

/** Writes the jobs below `root`, each with two files. Their content contains the name of the job and `edition`. */
export const writeJobs = async (root: string, folders: readonly JobFolder[], edition: string): Promise<JobTree> => {
  const truth = new Map<string, string>();
  for (const { name, assignment } of folders) {
    await mkdir(join(root, name), { recursive: true });
    for (const file of ['protocol.pdf', 'photo 1.jpg']) {
      const content = `${edition}: ${name}, ${file}`;
      await writeFile(join(root, name, file), content);
      if (assignment) truth.set(createHash('sha256').update(content).digest('hex'), assignment.AssignmentId);
    }
  }
  return { folders, truth };
};
