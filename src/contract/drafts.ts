/** An upload that is being prepared: the folders that were chosen, and which of them goes to which assignment. */
import { z } from 'zod';
import { LeftOut } from './batches.ts';
import { ErrorData } from './errors.ts';
import { MatchCandidate, MatchReason } from './matching.ts';
import { NameTemplate, OnClash } from './names.ts';
import { AssignmentId, AssignmentSummary } from './resources.ts';

/**
 * `scanning`: the folders are being read; `updating`: the assignments that they are matched with are being brought up to
 * date; `matching`; `ready`: everything can be reviewed and started.
 */
export const DraftPhase = z.enum(['scanning', 'updating', 'matching', 'ready']);
export type DraftPhase = z.infer<typeof DraftPhase>;

/** The filters of the review. `undecided`: needs a decision; `problems`: rows with a warning. */
export const DraftFilter = z.enum(['all', 'undecided', 'matched', 'left-out', 'problems']);
export type DraftFilter = z.infer<typeof DraftFilter>;

/** A reason to look again before a folder is sent. `files`: how many of its files it concerns. */
export const DraftWarning = z.discriminatedUnion('kind', [
  /** The assignment is cancelled, completed or otherwise closed. */
  z.object({ kind: z.literal('status'), AssignmentStatus: z.string() }),
  /** The folder's name speaks for another assignment: `found` is the part of the name, `name` that assignment's. */
  z.object({ kind: z.literal('other-assignment'), AssignmentId, name: z.string(), found: z.string() }),
  z.object({
    /** `too-long`: the name is longer than storages take; `too-large`: a file of this size failed before;
     * `in-cloud`: it is downloaded first. */
    kind: z.enum(['empty', 'unreadable', 'too-long', 'too-large', 'executable', 'in-cloud', 'clash']),
    files: z.int(),
  }),
]);
export type DraftWarning = z.infer<typeof DraftWarning>;

/**
 * A folder, or files of one, that go to the same assignment. `path`: from the name of the chosen folder on, with `/`.
 * `fileNames`: of loose files, the first few names; absent for a whole folder.
 */
export const DraftRow = z.object({
  rowId: z.int(),
  path: z.string(),
  name: z.string(),
  fileNames: z.array(z.string()).readonly().optional(),
  files: z.int(),
  bytes: z.number(),
  choice: z.enum(['undecided', 'assignment', 'left-out']),
  /** Who chose. `match`: the app, from the name. */
  chosenBy: z.enum(['match', 'map', 'person']).optional(),
  AssignmentId: AssignmentId.optional(),
  /** The assignment that was chosen, or else the best candidate, as far as it has been read here. */
  assignment: AssignmentSummary.optional(),
  certainty: z.number().min(0).max(1).optional(),
  reasons: z.array(MatchReason).readonly(),
  /** How many assignments the folder may belong to. */
  candidates: z.int(),
  warnings: z.array(DraftWarning).readonly(),
});
export type DraftRow = z.infer<typeof DraftRow>;

/** An assignment that a row can go to, with why. */
export const DraftCandidate = MatchCandidate.extend({ assignment: AssignmentSummary.optional() });
export type DraftCandidate = z.infer<typeof DraftCandidate>;

/** A file whose FileName is taken: by a file of the same upload (`folder`: where that lies) or one uploaded earlier. */
export const DraftClash = z.object({
  path: z.string(),
  FileName: z.string(),
  with: z.enum(['this-upload', 'earlier']),
  folder: z.string().optional(),
  addedAtMs: z.number().optional(),
  onClash: OnClash,
});
export type DraftClash = z.infer<typeof DraftClash>;

/** How many rows of each kind; a row with a warning also counts in `problems`. */
const DraftCounts = z.object({
  total: z.int(),
  undecided: z.int(),
  matched: z.int(),
  leftOut: z.int(),
  problems: z.int(),
});

/** Folders, files and bytes that a start would send, and to how many assignments. */
export const DraftSum = z.object({ folders: z.int(), files: z.int(), bytes: z.number(), assignments: z.int() });
export type DraftSum = z.infer<typeof DraftSum>;

/** The draft as a whole. `revision` rises with each change of its rows. */
export const Draft = z.object({
  draftId: z.guid(),
  revision: z.int(),
  phase: DraftPhase,
  /** Why a phase could not be completed; the draft stays usable. */
  reason: ErrorData.optional(),
  /** The chosen folders, by name. */
  names: z.array(z.string()).readonly(),
  folders: z.int(),
  files: z.int(),
  bytes: z.number(),
  leftOut: LeftOut,
  /**
   * The assignments to match with. First the list of protocols is read, then the assignments of each: `read` of `total` are up to date, and
   * the rest of this stage takes about `leftMs`. `isReading`: lists are still being read, also after the draft is `ready`.
   * `oldestAtMs`: when the oldest assignment was read.
   */
  assignments: z.object({
    stage: z.enum(['protocols', 'assignments']),
    read: z.int(),
    total: z.int(),
    leftMs: z.number().optional(),
    isReading: z.boolean(),
    known: z.int(),
    oldestAtMs: z.number().optional(),
  }),
  /** How many folders lie at each depth below the chosen ones, and the depth at which the jobs lie. */
  levels: z.array(z.object({ level: z.int(), folders: z.int() })).readonly(),
  level: z.int(),
  /** The one assignment that everything goes to; absent: each folder has its own. */
  AssignmentId: AssignmentId.optional(),
  /** Its folders are still being compared with the other assignments that are known here: a warning may follow. */
  isComparing: z.boolean(),
  counts: DraftCounts,
  toSend: DraftSum,
  nameTemplate: NameTemplate,
  onClash: OnClash,
  canUndo: z.boolean(),
});
export type Draft = z.infer<typeof Draft>;
