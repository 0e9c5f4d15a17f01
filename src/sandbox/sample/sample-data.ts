/**
 * The inspection data behind the eight operations. Every record is a pure function of the seed and its index, and is
 * generated on demand.
 */
import type {
  AssignmentFile,
  AssignmentList,
  AssignmentSummary,
  InspectionPoint,
  OrderableEvent,
  ProtocolPage,
} from '../../contract/resources.ts';
import { assignmentCount, assignmentSlots, projectAssignment, protocolAssignment, sampleFiles } from './assignments.ts';
import { sampleEvents } from './events.ts';
import { sampleIndex } from './ids.ts';
import { samplePoints } from './points.ts';
import { sampleProtocol } from './protocols.ts';

export type SampleData = {
  /** `page` counts from 1; `query` is looked for, ignoring case, in address, city, zip code and facility. */
  readonly protocolPage: (page: number, pageSize: number, query: string) => ProtocolPage;
  /** Undefined when there is no such protocol. */
  readonly assignmentsOf: (protocolId: string) => AssignmentList | undefined;
  /** Undefined when there is no such protocol. */
  readonly pointsOf: (protocolId: string) => readonly InspectionPoint[] | undefined;
  /** All project assignments, or those of one county (ignoring case). */
  readonly projectAssignments: (county: string | undefined) => AssignmentList;
  /** An assignment of either list, with the files it held from the start; undefined when there is none. */
  readonly assignment: (
    assignmentId: string,
  ) => { readonly summary: AssignmentSummary; readonly files: readonly AssignmentFile[] } | undefined;
  readonly events: readonly OrderableEvent[];
};

/** The sample data of a seed with `total` protocols. */
export const createSampleData = (seed: number, total: number): SampleData => {
  const projectTotal = Math.min(2000, Math.max(60, Math.floor(total / 4)));
  const protocolIndex = (id: string) => sampleIndex(seed, 'protocol', id, total);
  const projects = lazy(() => Array.from({ length: projectTotal }, (_, index) => projectAssignment(seed, index)));
  const searchTexts = lazy(() =>
    Array.from({ length: total }, (_, index) => {
      const { Address, City, ZipCode, FacilityId } = sampleProtocol(seed, index, total);
      return [Address, City, ZipCode, FacilityId].join('\n').toLowerCase();
    }),
  );

  const findAssignment = (id: string): AssignmentSummary | undefined => {
    const project = sampleIndex(seed, 'project', id, projectTotal);
    if (project !== undefined) return projectAssignment(seed, project).assignment;
    const index = sampleIndex(seed, 'assignment', id, total * assignmentSlots);
    if (index === undefined) return undefined;
    const taken = index % assignmentSlots < assignmentCount(seed, Math.floor(index / assignmentSlots));
    return taken ? protocolAssignment(seed, index, total) : undefined;
  };

  return {
    protocolPage: (page, pageSize, query) => {
      const start = (page - 1) * pageSize;
      const wanted = query.toLowerCase();
      const found =
        wanted === '' ? undefined : searchTexts().flatMap((text, index) => (text.includes(wanted) ? [index] : []));
      const indexes = found?.slice(start, start + pageSize) ?? range(start, Math.min(start + pageSize, total));
      return {
        Items: indexes.map((index) => sampleProtocol(seed, index, total)),
        Count: indexes.length,
        TotalCount: found?.length ?? total,
        CurrentPage: page,
      };
    },
    assignmentsOf: (protocolId) => {
      const index = protocolIndex(protocolId);
      if (index === undefined) return undefined;
      const first = index * assignmentSlots;
      const slots = range(first, first + assignmentCount(seed, index));
      return listOf(slots.map((slot) => protocolAssignment(seed, slot, total)));
    },
    pointsOf: (protocolId) => {
      const index = protocolIndex(protocolId);
      return index === undefined ? undefined : samplePoints(seed, index, sampleProtocol(seed, index, total).Points);
    },
    projectAssignments: (county) =>
      listOf(
        projects()
          .filter((project) => county === undefined || project.county.toLowerCase() === county.toLowerCase())
          .map((project) => project.assignment),
      ),
    assignment: (assignmentId) => {
      const summary = findAssignment(assignmentId);
      return summary && { summary, files: sampleFiles(seed, summary.AssignmentId) };
    },
    events: sampleEvents(seed),
  };
};

const listOf = (Items: AssignmentSummary[]): AssignmentList => ({
  Items,
  Count: Items.length,
  TotalCount: Items.length,
});

/** The integers from `start` up to, not including, `end`. */
const range = (start: number, end: number): readonly number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset);

const lazy = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
