/** A tree of job folders as an office keeps it, made from the sandbox's own assignments, with the truth about each. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AssignmentSummary } from '../../../src/contract/resources.ts';
import { createSampleData } from '../../../src/sandbox/sample/sample-data.ts';

/** The sandbox's defaults. */
const SEED = 1;
const PROTOCOLS = 240;
/** The fewest protocols, in tens, whose assignments make all jobs. */
export const JOB_PROTOCOLS = 80;

export type JobFolder = {
  readonly name: string;
  /** `clear`, also with a `typo`: its address has one assignment; `ambiguous`: several; `foreign`: none. */
  readonly kind: 'clear' | 'typo' | 'ambiguous' | 'foreign';
  /** Where its files belong; undefined: nowhere. */
  readonly assignment?: AssignmentSummary;
};

type JobTree = {
  readonly folders: readonly JobFolder[];
  /** Where each content belongs, by its SHA-256. */
  readonly truth: ReadonlyMap<string, string>;
};

/** All assignments of a sandbox with so many protocols by their addresses. */
const atAddress = (count: number): ReadonlyMap<string, readonly AssignmentSummary[]> => {
  const sample = createSampleData(SEED, count);
  const protocols = sample.protocolPage(1, count, '').Items;
  const ofProtocols = protocols.flatMap(
    ({ InspectionProtocolId }) => sample.assignmentsOf(InspectionProtocolId)?.Items ?? [],
  );
  const all = [...ofProtocols, ...sample.projectAssignments(undefined).Items];
  return Map.groupBy(all, ({ Address, City }) => `${Address}, ${City}`);
};

/** The name with two letters of its street in the wrong order. */
const withTypo = (name: string): string => {
  const at = name.search(/\p{L}{6,}/u) + 3;
  return name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2);
};

const foreign = ['Invoices 2026', 'Holiday photos', 'Old templates', 'Price lists', 'To sort'];

const isOpen = ({ AssignmentStatus }: AssignmentSummary): boolean =>
  AssignmentStatus === 'PENDING' || AssignmentStatus === 'IN_PROGRESS' || AssignmentStatus === 'PLANNED';

/** 60 jobs: 33 clear, 12 with a typo, 10 ambiguous, 5 foreign, of a service with so many protocols. */
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

/** Writes the jobs below `root`, with two files each whose content names the job and `edition`. */
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
