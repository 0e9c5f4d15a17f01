/** The calls about assignments, and the offline data's assignments as a table and as a work list. */
import { z } from 'zod';
import { call, nothing, offline, paging } from './call.ts';
import {
  AssignmentId,
  AssignmentList,
  AssignmentSummary,
  KnownAssignment,
  PlanAfterValue,
  ProtocolSummary,
  reading,
  TimeUnit,
} from './resources.ts';
import { SearchText } from './search.ts';
import { BatchId, KnownFile } from './uploads.ts';

/**
 * The groups of the work list. An assignment is open unless its status says that no more files are expected
 * (`isClosed`). The documents of an assignment are the files that were sent from this computer and have not been
 * removed since.
 * - `overdue`: open, began before today, without documents, and with no plan-after date in the future
 * - `thisWeek`, `nextWeek`: open, with a StartTime in that week
 * - `planAfterPassed`: open, without documents, and with a plan-after date that has passed
 * - `troubled`: open or closed, with files that failed or still wait to be sent
 * - `withoutDocuments`: open, without documents
 */
export const WorkGroup = z.enum(['overdue', 'thisWeek', 'nextWeek', 'planAfterPassed', 'troubled', 'withoutDocuments']);
export type WorkGroup = z.infer<typeof WorkGroup>;

/**
 * When today, this week, next week and the week after that (`laterMs`) begin in the user's time zone, in ms since 1970.
 */
export const WorkDays = z.object({
  todayMs: z.number(),
  thisWeekMs: z.number(),
  nextWeekMs: z.number(),
  laterMs: z.number(),
});
export type WorkDays = z.infer<typeof WorkDays>;

/** The wanted value of a field. The case of ASCII letters is ignored; for AssignmentStatus, the case of all letters. */
const Value = z.string().max(20_000).optional();

/**
 * Selects assignments that meet all given conditions. An assignment meets `text` if each word of `text` begins a word
 * of the assignment (with further rules for house numbers), or if `text` begins the assignment's id.
 */
export const AssignmentFilter = z.object({
  text: SearchText.default(''),
  group: WorkGroup.optional(),
  open: z.boolean().default(false),
  City: Value,
  Performer: Value,
  AssignmentStatus: Value,
  projects: z.boolean().default(false),
  /** Selects only assignments that the service listed for this county. */
  County: Value,
  /** The range of StartTime from `fromMs` up to, but not including, `beforeMs`, in ms since 1970. */
  fromMs: z.number().optional(),
  beforeMs: z.number().optional(),
});
export type AssignmentFilter = z.infer<typeof AssignmentFilter>;

export const AssignmentColumn = z.enum([
  'StartTime',
  'Address',
  'City',
  'Customer',
  'Performer',
  'AssignmentStatus',
  'PlanAfter',
  'Documents',
  'LastUpload',
]);
export type AssignmentColumn = z.infer<typeof AssignmentColumn>;

/**
 * Requests a window of the assignments. If `sort` is a column that this computer adds (`PlanAfter`, `Documents`,
 * `LastUpload`), assignments without a value in it come last.
 */
export const AssignmentTableQuery = AssignmentFilter.extend({
  days: WorkDays,
  sort: AssignmentColumn.default('StartTime'),
  descending: z.boolean().default(false),
  ...paging,
});
export type AssignmentTableQuery = z.infer<typeof AssignmentTableQuery>;

/**
 * The uploads to an assignment from this computer, counted in files, and its plan-after date. `sent`: uploaded and not
 * removed since.
 */
const Progress = z.object({
  sent: z.int(),
  failed: z.int(),
  waiting: z.int(),
  lastUpload: z.object({ batchId: BatchId, atMs: z.number() }).optional(),
  /** The date that the service last returned or, if `isPlanPending`, the pending date. Absent if unknown or cleared. */
  PlanAfter: z.number().optional(),
  isPlanPending: z.boolean(),
});

/**
 * A row of the table of assignments. `protocol`: the assignment's protocol; absent if it is not in the offline data.
 */
export const AssignmentRow = AssignmentSummary.extend({
  ...Progress.shape,
  protocol: ProtocolSummary.optional(),
});
export type AssignmentRow = z.infer<typeof AssignmentRow>;

/** A window of the assignments that match. `known`: how many the offline data has; `total`: how many match. */
export const AssignmentTable = z.object({
  Items: z.array(AssignmentRow).readonly(),
  total: z.int(),
  known: z.int(),
});
export type AssignmentTable = z.infer<typeof AssignmentTable>;

/** The maximum number of `dayStarts`. A page of a calendar needs fewer. */
const MOST_DAYS = 50;

/**
 * A request for counts of assignments. `dayStarts`: when each day that is counted begins, and when the last one ends,
 * in ms since 1970.
 */
export const WorkListQuery = AssignmentFilter.omit({ group: true }).extend({
  days: WorkDays,
  dayStarts: z.array(z.number()).max(MOST_DAYS).readonly().default([]),
});
export type WorkListQuery = z.infer<typeof WorkListQuery>;

/**
 * Counts of assignments. `groups`: how many of those that match are in each group; `days`: how many open ones begin on
 * each day; `known`: how many assignments the offline data has.
 */
export const WorkList = z.object({
  groups: z.record(WorkGroup, z.int()),
  days: z.array(z.int()).readonly(),
  known: z.int(),
});
export type WorkList = z.infer<typeof WorkList>;

export const AssignmentValues = z.object({
  City: z.array(z.string()).readonly(),
  Performer: z.array(z.string()).readonly(),
  AssignmentStatus: z.array(z.string()).readonly(),
});
export type AssignmentValues = z.infer<typeof AssignmentValues>;

export const assignmentsCalls = {
  table: call(AssignmentTableQuery, AssignmentTable),
  workList: call(WorkListQuery, WorkList),
  values: call(nothing, AssignmentValues),
  /** Operation 4 of the service's API. */
  projects: call(z.object({ County: z.string().optional(), offline }), reading(AssignmentList)),
  /** The counties whose list of assignments for projects was read and is not empty. */
  counties: call(nothing, z.array(z.string()).readonly()),
  /** An assignment as it was last read. Errors: `cache/missing`. */
  get: call(z.object({ AssignmentId: z.string().min(1) }), KnownAssignment),
  /**
   * The unit in which the service expects times: that of the settings or, with `auto`, that of most times in the
   * offline data. Needed for assignments that have no StartTime from which the unit could be detected.
   */
  timeUnit: call(nothing, TimeUnit),
  /**
   * Operation 7 of the service's API; without `PlanAfter` the value is cleared. `waiting`: the change is pending, for
   * example because the service cannot be reached.
   */
  planAfter: call(
    z.object({ AssignmentId, PlanAfter: z.number().optional() }),
    PlanAfterValue.extend({ waiting: z.boolean() }),
  ),
  knownFiles: call(z.object({ AssignmentId }), z.array(KnownFile).readonly()),
};
