/** New uploads: folders, the assignments that they are matched with, the choices of the user, and matching rules. */
import { z } from 'zod';
import { call, FolderId, nothing, Path, paging } from './call.ts';
import { ErrorData } from './errors.ts';
import { WantedSchedule } from './hours.ts';
import { ListProgress } from './offline.ts';
import { AssignmentId, AssignmentSummary } from './resources.ts';
import { SearchText } from './search.ts';
import { AutomaticReceipt, LeftOut, NameTemplate, OnClash, Rename } from './uploads.ts';

// How folders are matched with assignments: evidence and certainty.

/** The level of the job folders: 0 for a chosen folder, 1 for its subfolders, and so on. */
export const JobLevel = z.int().min(0).max(1_000);

/**
 * Evidence for or against an assignment. `confirmed`: a user chose this assignment for such a name before; `map`: a map
 * file names it. The last five are reasons to ask, however well an assignment fits the folder: protocols at its address
 * (`unread-here`), or that may be meant (`unread`), have not been read, nor has the whole list of protocols (`unread-list`);
 * `characters`: its name is not what it looks like; `best-status`: what fits best is closed.
 */
export const MatchSignal = z.enum([
  'map',
  'confirmed',
  'assignment-id',
  'protocol-id',
  'facility-id',
  'address',
  'street',
  'house-number',
  'flat',
  'city',
  'zip-code',
  'person',
  'performer',
  'date',
  'status',
  'unread-here',
  'unread',
  'unread-list',
  'characters',
  'best-status',
]);
export type MatchSignal = z.infer<typeof MatchSignal>;

/**
 * `found`: the words of the folder's path; `against`: they are evidence against the assignment; `count`: of protocols; `atMs`:
 * when the user chose it.
 */
export const MatchReason = z.object({
  signal: MatchSignal,
  found: z.string(),
  against: z.boolean().optional(),
  count: z.int().optional(),
  atMs: z.number().optional(),
});
export type MatchReason = z.infer<typeof MatchReason>;

/** `certainty`: the probability, from 0 to 1, that the folder belongs to the assignment. */
export const MatchCandidate = z.object({
  AssignmentId,
  certainty: z.number().min(0).max(1),
  reasons: z.array(MatchReason).readonly(),
});
export type MatchCandidate = z.infer<typeof MatchCandidate>;

/** `send`: certain enough to be uploaded without a question; `ask`: the user has to decide; `none`: nothing fits. */
export const MatchDecision = z.enum(['send', 'ask', 'none']);
export type MatchDecision = z.infer<typeof MatchDecision>;

/**
 * `candidates`: best first, closed ones last, at most ten. With `send` the first one is the assignment. `vetoes`: why the user has
 * to decide, even if a candidate fits well.
 */
export const Match = z.object({
  decision: MatchDecision,
  candidates: z.array(MatchCandidate).readonly(),
  vetoes: z.array(MatchReason).readonly(),
});
export type Match = z.infer<typeof Match>;

/** Certain enough to be sent without a question, unless the user chooses otherwise. */
export const MIN_CERTAINTY = 0.95;

// Matching rules: which assignment a user chose for folders of a name.

/** `name`: of the folder for which the assignment was last chosen. Times are ms since 1970. */
export const MatchingRule = z.object({
  ruleId: z.int(),
  name: z.string(),
  AssignmentId,
  /** As far as it has been read here. */
  assignment: AssignmentSummary.optional(),
  confirmedAtMs: z.number(),
});
export type MatchingRule = z.infer<typeof MatchingRule>;

// An upload in preparation: the chosen folders, and the assignment of each.

/**
 * `scanning`: the folders are being read; `updating`: the assignments that they are matched with are being brought up to
 * date; `matching`; `ready`: everything can be reviewed and started.
 */
export const DraftPhase = z.enum(['scanning', 'updating', 'matching', 'ready']);
export type DraftPhase = z.infer<typeof DraftPhase>;

/**
 * The filters of the review. `new`: something of it would be sent, or may after a decision; `undecided`: needs a decision;
 * `problems`: rows with a warning.
 */
export const DraftFilter = z.enum(['all', 'new', 'undecided', 'matched', 'left-out', 'problems']);
export type DraftFilter = z.infer<typeof DraftFilter>;

/** A reason to look again before a folder is sent. `files`: how many of its files it concerns. */
export const DraftWarning = z.discriminatedUnion('kind', [
  /** The assignment is cancelled, completed or otherwise closed. */
  z.object({ kind: z.literal('status'), AssignmentStatus: z.string() }),
  /** The folder's name speaks for another assignment: `found` is the part of the name, `name` that assignment's. */
  z.object({ kind: z.literal('other-assignment'), AssignmentId, name: z.string(), found: z.string() }),
  z.object({
    /** `too-long`: the name is longer than storages take; `too-large`: a file of this size failed before;
     * `in-cloud`: it is downloaded first; `unopened`: an archive that is sent as it is. */
    kind: z.enum(['empty', 'unreadable', 'too-long', 'too-large', 'executable', 'in-cloud', 'unopened', 'clash']),
    files: z.int(),
  }),
]);
export type DraftWarning = z.infer<typeof DraftWarning>;

/** Some files, and the sum of their sizes. */
export const Amount = z.object({ files: z.int(), bytes: z.number() });
export type Amount = z.infer<typeof Amount>;

/**
 * A folder, or some files of one, that go to the same assignment. `path`: starts with the name of the chosen folder,
 * with `/`. `fileNames`: the first few names of loose files; absent for a whole folder. `files`: without those that are left out.
 */
export const DraftRow = z.object({
  rowId: z.int(),
  path: z.string(),
  name: z.string(),
  fileNames: z.array(z.string()).readonly().optional(),
  files: z.int(),
  bytes: z.number(),
  /** The files that would be sent, and those that are on the assignment already; both are part of `files`. */
  toSend: Amount,
  sent: Amount,
  /** Single files of it that are left out. */
  leftOut: Amount,
  /** Until it has been compared with its assignment, everything in it counts as to be sent. */
  isComparing: z.boolean().optional(),
  choice: z.enum(['undecided', 'assignment', 'left-out']),
  /** When it was left out for an earlier upload, which still counts. */
  leftOutAtMs: z.number().optional(),
  /** Who chose. `match`: the app, from the name. */
  chosenBy: z.enum(['match', 'map', 'person']).optional(),
  AssignmentId: AssignmentId.optional(),
  /** The chosen assignment, or else the best candidate; absent if it is not in the offline data. */
  assignment: AssignmentSummary.optional(),
  certainty: z.number().min(0).max(1).optional(),
  reasons: z.array(MatchReason).readonly(),
  /** How many assignments the folder may belong to. */
  candidates: z.int(),
  warnings: z.array(DraftWarning).readonly(),
});
export type DraftRow = z.infer<typeof DraftRow>;

/**
 * Why an archive is not opened as a folder: it is `encrypted` or `damaged`, has names that lead out of it (`unsafe`), unpacks to
 * far more than it is (`bomb`), was uploaded as it is before (`sent`), has too `many` files, is too `large` a mail, is packed by a `method` that cannot be read, or took
 * too much time or memory (`stopped`).
 */
export const Unopened = z.enum([
  'encrypted',
  'damaged',
  'unsafe',
  'bomb',
  'many',
  'large',
  'method',
  'stopped',
  'sent',
]);
export type Unopened = z.infer<typeof Unopened>;

/**
 * A file of a row. `path`: below the row's folder, with `/`. `clash`: its FileName is taken. `unwanted`: why it is left out
 * unless the user includes it. `opened`: an archive whose files are sent instead.
 */
export const DraftFile = z.object({
  path: z.string(),
  sizeBytes: z.number(),
  modifiedAtMs: z.number(),
  state: z.enum(['new', 'sent', 'clash', 'left-out']),
  inCloud: z.boolean().optional(),
  unwanted: z.enum(['empty', 'executable', 'temporary', 'opened']).optional(),
  unopened: Unopened.optional(),
});
export type DraftFile = z.infer<typeof DraftFile>;

/** An assignment that a row can go to, with why. */
export const DraftCandidate = MatchCandidate.extend({ assignment: AssignmentSummary.optional() });
export type DraftCandidate = z.infer<typeof DraftCandidate>;

/**
 * A file whose FileName is taken by a file of the same upload (`folder`: that file's folder) or by one uploaded
 * earlier.
 */
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
  new: z.int(),
});

/** Folders with files and bytes of them, and to how many assignments they go. */
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
  /** It was begun before the app was last started, and stored at `atMs`; `changed`: rows with other files since then. */
  resumed: z.object({ atMs: z.number(), changed: z.int() }).optional(),
  folders: z.int(),
  files: z.int(),
  bytes: z.number(),
  leftOut: LeftOut,
  /**
   * The assignments to match with. `isReading`: lists are still being read, also after the draft is `ready`. `oldestAtMs`: when the oldest
   * assignment was read.
   */
  assignments: ListProgress.extend({
    isReading: z.boolean(),
    known: z.int(),
    oldestAtMs: z.number().optional(),
  }),
  /** How many folders lie at each depth below the chosen ones, and the depth at which the jobs lie. */
  levels: z.array(z.object({ level: z.int(), folders: z.int() })).readonly(),
  level: z.int(),
  /** The one assignment for all folders; absent: each folder has its own. */
  AssignmentId: AssignmentId.optional(),
  /** Its folders are still being compared with the other known assignments: a warning may follow. */
  isComparing: z.boolean(),
  counts: DraftCounts,
  /** The folders that have an assignment, and what a start would send of them: the rest is on their assignments already. */
  chosen: DraftSum,
  toSend: DraftSum,
  sent: Amount,
  /**
   * The largest file to be sent, if it is large and the storage takes it in one piece: an interruption begins it
   * again.
   */
  inOnePiece: z.object({ name: z.string(), sizeBytes: z.number() }).optional(),
  /** How many files have a name that is taken. */
  clashes: z.int(),
  /** The folders and single files that are left out. */
  leftOutFiles: Amount,
  /** How many folders are still being compared with their assignments. */
  comparing: z.int(),
  nameTemplate: NameTemplate,
  onClash: OnClash,
  canUndo: z.boolean(),
});
export type Draft = z.infer<typeof Draft>;

const rows = z.object({ rowIds: z.array(z.int()).min(1).max(100_000).readonly() });
const folderIds = z.array(FolderId).min(1).max(20_000).readonly();

export const draftsCalls = {
  /**
   * Begins a draft with these folders, replacing the present one, and scans them. With `AssignmentId` all folders go to
   * that assignment; otherwise each is matched. Changes arrive as events `draft`. Errors: `upload/folder-…`.
   */
  open: call(z.object({ folderIds, AssignmentId: AssignmentId.optional() }), Draft),
  /** Adds folders to the present draft. */
  add: call(z.object({ folderIds }), Draft),
  /** The present draft; undefined without one. */
  get: call(nothing, Draft.optional()),
  /** Rows around those in view; undecided first, then by path, unless `sort` says otherwise. */
  rows: call(
    z.object({
      filter: DraftFilter.default('all'),
      text: SearchText.optional(),
      sort: z.enum(['path', 'files', 'bytes', 'assignment', 'certainty']).optional(),
      descending: z.boolean().default(false),
      ...paging,
    }),
    z.object({ rows: z.array(DraftRow).readonly(), total: z.int() }),
  ),
  /** The assignments that a row may belong to; with `text` those that a search finds, with their certainty for this row. */
  candidates: call(
    z.object({ rowId: z.int(), text: SearchText.optional() }),
    z.object({ candidates: z.array(DraftCandidate).readonly(), total: z.int() }),
  ),
  assign: call(rows.extend({ AssignmentId }), Draft),
  leaveOut: call(rows, Draft),
  /** Takes rows that were left out in again: as matched, or undecided. */
  takeIn: call(rows, Draft),
  /** The files of a row, in the order of the scan. */
  files: call(
    z.object({ rowId: z.int(), ...paging }),
    z.object({ files: z.array(DraftFile).readonly(), total: z.int() }),
  ),
  /**
   * A file of a row that is on this computer, if the window can show it: a PNG or JPEG picture of at most 16 MiB and 100 megapixels, by its
   * content, as a `data:` URL; a PDF of at most 64 MiB as the address of a frame (`document`), where the host has a viewer. Errors: `input/invalid` for
   * an unknown file, `upload/file-…`.
   */
  preview: call(
    z.object({ rowId: z.int(), path: Path }),
    z.object({ picture: z.string().optional(), document: z.string().optional() }),
  ),
  /** Includes files of a row, or leaves them out: those with these paths, or all. */
  takeFiles: call(
    z.object({ rowId: z.int(), paths: z.array(Path).min(1).max(10_000).readonly().optional(), takes: z.boolean() }),
    Draft,
  ),
  /** The rows whose names mean the same as the name of this row, so that one choice can apply to all of them. */
  alike: call(z.object({ rowId: z.int() }), z.object({ rowIds: z.array(z.int()).readonly() })),
  /** Takes back the last change of rows. */
  undo: call(nothing, Draft),
  setLevel: call(z.object({ level: JobLevel }), Draft),
  /** Everything to one assignment, or (without one) each folder to its own. */
  setTarget: call(z.object({ AssignmentId: AssignmentId.optional() }), Draft),
  setNames: call(z.object({ nameTemplate: NameTemplate, onClash: OnClash }), Draft),
  /**
   * The files of a row that will be renamed; without `rowId`, those of the whole draft, if it goes to one assignment.
   * `total`: how many there are; only the first 10,000 are listed.
   */
  names: call(
    z.object({
      rowId: z.int().optional(),
      ...paging,
    }),
    z.object({ renames: z.array(Rename).readonly(), total: z.int(), listed: z.int() }),
  ),
  clashes: call(z.object({ rowId: z.int() }), z.object({ clashes: z.array(DraftClash).readonly(), total: z.int() })),
  /** What happens to files of a row whose names are taken: to all of them, or to those with these paths. */
  setClash: call(
    z.object({ rowId: z.int(), onClash: OnClash, paths: z.array(Path).max(10_000).readonly().optional() }),
    Draft,
  ),
  /** Matches with the assignments that are here; the others are read in the background, and make more folders certain. */
  skipUpdate: call(nothing, Draft),
  /**
   * Starts what has an assignment, as one upload; undecided rows stay in the draft. `schedule`: when it may be sent; `receipt`: what it
   * ends with; absent: as the settings say. `takesLater`: also files that were added or changed after they were
   * reviewed; otherwise added ones are counted (`leftOut.later`), and changed ones fail. Folders without anything new are not started. `chosen`: what
   * the user saw. Errors: `draft/changed` if other folders would be sent, as while lists are still being read; `auth/required`, `data/…`.
   */
  start: call(
    z
      .object({
        schedule: WantedSchedule.optional(),
        receipt: AutomaticReceipt.optional(),
        takesLater: z.boolean().optional(),
        chosen: DraftSum.optional(),
      })
      .optional(),
    z.object({ uploadId: z.guid() }),
  ),
  discard: call(nothing, z.void()),
};

export const rulesCalls = {
  /** The rules whose folder or assignment contains the words of `text`, the last confirmed first. */
  list: call(
    z.object({
      text: SearchText.optional(),
      ...paging,
    }),
    z.object({ rules: z.array(MatchingRule).readonly(), total: z.int() }),
  ),
  /** Changes the assignment of a rule. Errors: `input/invalid` for an unknown rule or assignment (as far as it is
   * in the offline data), `data/unwritable`. */
  set: call(z.object({ ruleId: z.int(), AssignmentId }), z.void()),
  /** Removes these rules. Errors: `data/unwritable`. */
  remove: call(z.object({ ruleIds: z.array(z.int()).min(1).max(10_000).readonly() }), z.void()),
  /** Removes all rules of the connection. Errors: `data/unwritable`. */
  clear: call(nothing, z.void()),
};
