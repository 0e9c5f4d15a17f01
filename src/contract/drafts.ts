/** Uploads in preparation, the matching of their folders with assignments, and matching rules. */
import { z } from 'zod';
import { call, FolderId, MOST_AT_ONCE, nothing, Path, paging } from './call.ts';
import { ErrorData } from './errors.ts';
import { WantedSchedule } from './hours.ts';
import { ListProgress } from './offline.ts';
import { AssignmentId, AssignmentSummary } from './resources.ts';
import { SearchText } from './search.ts';
import { AutomaticReceipt, LeftOut, NameTemplate, OnClash, Rename, UploadId } from './uploads.ts';

/** The level of the folders that each belong to one assignment: 0 for the chosen folders, 1 for their subfolders. */
export const AssignmentLevel = z.int().min(0).max(1_000);

/**
 * Evidence for or against an assignment. `confirmed`: a user chose this assignment for such a name before; `map`: a map
 * file names it. The last five signals are reasons to ask the user, however well an assignment fits the folder; so is
 * `status` if the proposed assignment is closed. A protocol is unread if its assignments have not been read.
 * `unread-here`: unread protocols may be at the place that the name refers to; `unread`: the name refers to no place,
 * so it may refer to any unread protocol; `unread-list`: a list of the service has not been read completely;
 * `characters`: a name has misleading characters; `best-status`: the assignment that fits best is closed.
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
 * A piece of evidence. `found`: the words of the folder's path that are the evidence, or the status of the assignment;
 * `against`: whether this is evidence against the assignment; `count`: the number of unread protocols; `atMs`: when the
 * user chose the assignment.
 */
export const MatchReason = z.object({
  signal: MatchSignal,
  found: z.string(),
  against: z.boolean().optional(),
  count: z.int().optional(),
  atMs: z.number().optional(),
});
export type MatchReason = z.infer<typeof MatchReason>;

/** An assignment that a folder may belong to. `certainty`: the probability that it does, from 0 to 1. */
export const MatchCandidate = z.object({
  AssignmentId,
  certainty: z.number().min(0).max(1),
  reasons: z.array(MatchReason).readonly(),
});
export type MatchCandidate = z.infer<typeof MatchCandidate>;

/**
 * What happens to a folder. `send`: the match is certain enough to upload the folder without a question; `ask`: the
 * user has to decide; `none`: no assignment fits.
 */
const MatchDecision = z.enum(['send', 'ask', 'none']);

/**
 * The result of matching a folder. `candidates`: at most ten assignments, the best first, closed ones last. If
 * `decision` is `send`, the folder goes to the first candidate. `vetoes`: why the user has to decide, even if a
 * candidate fits well.
 */
export const Match = z.object({
  decision: MatchDecision,
  candidates: z.array(MatchCandidate).readonly(),
  vetoes: z.array(MatchReason).readonly(),
});
export type Match = z.infer<typeof Match>;

/** The minimum certainty of folders that are sent without a question, unless another minimum is set. */
export const MIN_CERTAINTY = 0.95;

/**
 * A matching rule. `name`: the name of the folder for which the assignment was last chosen; `confirmedAtMs`: when it
 * was chosen.
 */
export const MatchingRule = z.object({
  ruleId: z.int(),
  name: z.string(),
  AssignmentId,
  /** Absent if the assignment is not in the offline data. */
  assignment: AssignmentSummary.optional(),
  confirmedAtMs: z.number(),
});
export type MatchingRule = z.infer<typeof MatchingRule>;

/**
 * The phase of a draft. `scanning`: the folders are being read; `updating`: the lists of assignments are being read;
 * `matching`: the folders are being matched with the assignments; `ready`: the user can review and start the upload.
 */
export const DraftPhase = z.enum(['scanning', 'updating', 'matching', 'ready']);
export type DraftPhase = z.infer<typeof DraftPhase>;

/**
 * The filters of the review. `new`: rows with files that a start would send, or that need a decision; `undecided`: rows
 * that need a decision; `matched`: rows with an assignment; `problems`: rows that have a warning and are not left out.
 */
export const DraftFilter = z.enum(['all', 'new', 'undecided', 'matched', 'left-out', 'problems']);
export type DraftFilter = z.infer<typeof DraftFilter>;

/**
 * The number of files for each choice about a FileName that is taken. With `replace`, a file is still renamed if the
 * other file with the name is not on the assignment yet.
 */
const ClashChoices = z.record(OnClash, z.int());

/** A warning about a folder before it is sent. `files`: the number of its files that caused the warning. */
export const DraftWarning = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), AssignmentStatus: z.string() }),
  /**
   * The folder's name fits another assignment. `found`: the part that fits; `name`: the name of the other assignment.
   */
  z.object({ kind: z.literal('other-assignment'), AssignmentId, name: z.string(), found: z.string() }),
  z.object({
    /**
     * `too-long`: the name is shortened; `too-large`: a storage refused a file of this size or a smaller one before;
     * `in-cloud`: the file has to be downloaded before it is sent; `unopened`: an archive that is sent unopened.
     */
    kind: z.enum(['empty', 'unreadable', 'too-long', 'too-large', 'executable', 'in-cloud', 'unopened']),
    files: z.int(),
  }),
  /** Files whose FileNames are taken. */
  z.object({ kind: z.literal('clash'), files: z.int(), choices: ClashChoices }),
]);
export type DraftWarning = z.infer<typeof DraftWarning>;

export const Amount = z.object({ files: z.int(), bytes: z.number() });
export type Amount = z.infer<typeof Amount>;

/**
 * A folder, or some of the files directly in it, for which one assignment is chosen. `path`: the path from the name of
 * the chosen folder on, with `/` between names. `fileNames`: the first few names of these files; absent for a whole
 * folder. `files`: how many files the row has, without those that are left out.
 */
export const DraftRow = z.object({
  rowId: z.int(),
  path: z.string(),
  name: z.string(),
  fileNames: z.array(z.string()).readonly().optional(),
  files: z.int(),
  bytes: z.number(),
  toSend: Amount,
  sent: Amount,
  /** Single files that are left out of the row. `files` does not count them. */
  leftOut: Amount,
  /**
   * Whether the row is still being compared with its assignment. During the comparison, all its files count as
   * `toSend`.
   */
  isComparing: z.boolean().optional(),
  choice: z.enum(['undecided', 'assignment', 'left-out']),
  /** When the user left the row out of an earlier upload. The row is therefore left out of this upload, too. */
  leftOutAtMs: z.number().optional(),
  /** How the assignment was chosen. `match`: by the matching of names; `map`: by a map file; `person`: by the user. */
  chosenBy: z.enum(['match', 'map', 'person']).optional(),
  AssignmentId: AssignmentId.optional(),
  /** The chosen assignment or, if none is chosen, the best candidate. Absent if its record is unknown. */
  assignment: AssignmentSummary.optional(),
  certainty: z.number().min(0).max(1).optional(),
  reasons: z.array(MatchReason).readonly(),
  candidates: z.int(),
  warnings: z.array(DraftWarning).readonly(),
});
export type DraftRow = z.infer<typeof DraftRow>;

/**
 * Why an archive or a mail is not opened as a folder. `unsafe`: it has names that lead out of it; `bomb`: it unpacks to
 * far more than its own size; `many`: it has too many files; `large`: the mail is too large; `method`: it is compressed
 * by a method that cannot be read; `stopped`: it took too much time or memory; `sent`: it was uploaded unopened before.
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
 * A file of a row. `path`: the path below the row's folder, with `/` between names. `state` is `clash` if its FileName
 * is taken. `unwanted`: why the file is left out by default; `opened`: it is an archive whose files are sent instead.
 * `unopened`: why an archive or a mail is sent as it is.
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

export const DraftCandidate = MatchCandidate.extend({ assignment: AssignmentSummary.optional() });
export type DraftCandidate = z.infer<typeof DraftCandidate>;

/**
 * A file whose FileName is taken by another file, in the same upload or from an earlier one. `folder`: the other file's
 * folder, if it is known; `addedAtMs`: when the other file was added to the assignment.
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

const DraftSum = z.object({ folders: z.int(), files: z.int(), bytes: z.number(), assignments: z.int() });

/** The rows with files and an assignment, summed up. `pairs`: a hash of the pairs of row and assignment. */
export const ChosenSum = DraftSum.extend({ pairs: z.string() });
export type ChosenSum = z.infer<typeof ChosenSum>;

/** `revision` increases with each change of the draft's rows. */
export const Draft = z.object({
  draftId: z.guid(),
  revision: z.int(),
  phase: DraftPhase,
  /** Why a phase could not be completed, or why some rows could not be started; the draft stays usable. */
  reason: ErrorData.optional(),
  names: z.array(z.string()).readonly(),
  /**
   * Present in a draft that continues a stored draft, once it is `ready`. `atMs`: when the draft was stored; `changed`:
   * how many rows are new, gone or changed since then.
   */
  resumed: z.object({ atMs: z.number(), changed: z.int() }).optional(),
  folders: z.int(),
  files: z.int(),
  bytes: z.number(),
  leftOut: LeftOut,
  /**
   * The progress of reading the assignments that folders are matched with. `known`: how many are known so far;
   * `isReading`: whether lists are still being read, which may go on after the draft is `ready`; `oldestAtMs`: when the
   * oldest of these records was read.
   */
  assignments: ListProgress.extend({
    isReading: z.boolean(),
    known: z.int(),
    oldestAtMs: z.number().optional(),
  }),
  /**
   * The number of folders at each level, where 0 is the level of the chosen folders. The list is empty during the scan.
   */
  levels: z.array(z.object({ level: z.int(), folders: z.int() })).readonly(),
  level: z.int(),
  /** The assignment that all folders go to; absent if each folder goes to its own. */
  AssignmentId: AssignmentId.optional(),
  /** Whether the folders are still being compared with other known assignments. The comparison may add warnings. */
  isComparing: z.boolean(),
  /** How many rows that are not left out have a warning about their assignment. */
  doubts: z.int(),
  /** How many rows each filter of the review has. A row can count for several filters. */
  counts: z.record(DraftFilter, z.int()),
  chosen: ChosenSum,
  toSend: DraftSum,
  sent: Amount,
  /** The largest file to be sent, if it is large and its upload would start over after an interruption. */
  inOnePiece: z.object({ name: z.string(), sizeBytes: z.number() }).optional(),
  clashes: ClashChoices,
  leftOutFiles: Amount,
  comparing: z.int(),
  nameTemplate: NameTemplate,
  onClash: OnClash,
  canUndo: z.boolean(),
});
export type Draft = z.infer<typeof Draft>;

/**
 * A change that was undone. With the kind `scope`, the user had chosen another level, or another assignment for the
 * whole draft. `count`: the number of rows or, for `includeFiles`, of files; 0 for `scope`. `row`: the row as it was
 * before the change, if only one was changed; `path`: the file, if a single file was included or left out;
 * `AssignmentId`: the assignment of `assign`.
 */
export const UndoneChange = z.object({
  kind: z.enum(['assign', 'accept', 'leaveOut', 'include', 'includeFiles', 'clash', 'scope']),
  count: z.int(),
  row: DraftRow.optional(),
  path: Path.optional(),
  ...DraftRow.pick({ AssignmentId: true, assignment: true }).shape,
});
export type UndoneChange = z.infer<typeof UndoneChange>;

const rows = z.object({ rowIds: z.array(z.int()).min(1).max(MOST_AT_ONCE).readonly() });
const rowsQuery = {
  filter: DraftFilter.default('all'),
  text: SearchText.optional(),
  sort: z.enum(['path', 'files', 'bytes', 'assignment', 'certainty']).optional(),
  descending: z.boolean().default(false),
};
const folderIds = z.array(FolderId).min(1).max(20_000).readonly();

/** A call that changes the draft resolves after the `draft` event with the changed draft has arrived. */
export const draftsCalls = {
  /**
   * Begins a draft with these folders in place of the present draft, and scans the folders. With `AssignmentId` all
   * folders go to that assignment; otherwise each is matched. Changes of the draft, and errors of the scan (`reason`),
   * arrive as `draft` events. Errors: `input/invalid` for an unknown folder, `draft/stopped`, `app/cancelled`.
   */
  open: call(z.object({ folderIds, AssignmentId: AssignmentId.optional() }), z.void()),
  /**
   * Adds folders to the draft. With `AssignmentId` they go to that assignment, even if they are in the draft already.
   * The user's decisions about rows take precedence.
   */
  add: call(z.object({ folderIds, AssignmentId: AssignmentId.optional() }), z.void()),
  /**
   * A window of the rows. Without `sort`, rows are sorted by path and, once the draft is `ready`, undecided rows come
   * first.
   */
  rows: call(z.object({ ...rowsQuery, ...paging }), z.object({ rows: z.array(DraftRow).readonly(), total: z.int() })),
  /**
   * Finds one of the rows that `rows` lists: the row `rowId`, or the first one of the chosen folder with the name
   * `chosen`. Without both, finds the first undecided row from the index `from` on; if there is none, the first
   * undecided row of all. `total`: how many rows are listed.
   */
  find: call(
    z.object({
      ...rowsQuery,
      rowId: z.int().optional(),
      chosen: z.string().optional(),
      from: z.int().min(0).default(0),
    }),
    z.object({ found: z.object({ row: DraftRow, index: z.int() }).optional(), total: z.int() }),
  ),
  /** The assignments that a row may belong to or, with `text`, those that a search finds. */
  candidates: call(
    z.object({ rowId: z.int(), text: SearchText.optional() }),
    z.object({ candidates: z.array(DraftCandidate).readonly(), total: z.int() }),
  ),
  assign: call(rows.extend({ AssignmentId }), z.void()),
  /**
   * Assigns each undecided one of the rows to its best candidate, but leaves it undecided if there is a reason to ask
   * the user or a reason against the candidate, or if the candidate is closed or not more likely than all others
   * together. `left`: the number of rows that stay undecided.
   */
  accept: call(rows, z.object({ accepted: z.int(), left: z.int() })),
  leaveOut: call(rows, z.void()),
  /** Includes rows that were left out. Their assignments are then chosen like those of other rows. */
  include: call(rows, z.void()),
  files: call(
    z.object({ rowId: z.int(), ...paging }),
    z.object({ files: z.array(DraftFile).readonly(), total: z.int() }),
  ),
  /**
   * A file of a row, if it is on this computer and the window can show it. `picture`: a PNG or JPEG (by its content) of
   * at most 16 MiB and 100 megapixels, as a `data:` URL; with `isSmall`, the thumbnail of a JPEG that has one.
   * `document`: a PDF of at most 64 MiB, as an address for a frame, if the host has a viewer. Errors: `input/invalid`
   * for an unknown file, `upload/…`.
   */
  preview: call(
    z.object({ rowId: z.int(), path: Path, isSmall: z.boolean().optional() }),
    z.object({ picture: z.string().optional(), document: z.string().optional() }),
  ),
  /**
   * Includes files of a row (`isIncluded`) or leaves them out: the files with these paths or, without `paths`, all
   * except opened archives.
   */
  setFiles: call(
    z.object({
      rowId: z.int(),
      paths: z.array(Path).min(1).max(10_000).readonly().optional(),
      isIncluded: z.boolean(),
    }),
    z.void(),
  ),
  /**
   * The rows with the same possible assignments as this row or, if it has none, with the same words in the name of the
   * folder. The user can then make one choice for all of them.
   */
  alike: call(z.object({ rowId: z.int() }), z.object({ rowIds: z.array(z.int()).readonly() })),
  /** Undoes the last change that can be undone, and returns it; undefined if there is none. */
  undo: call(nothing, UndoneChange.optional()),
  setLevel: call(z.object({ level: AssignmentLevel }), z.void()),
  setTarget: call(z.object({ AssignmentId: AssignmentId.optional() }), z.void()),
  setNames: call(z.object({ nameTemplate: NameTemplate, onClash: OnClash }), z.void()),
  /**
   * The files of a row that will be renamed. Without `rowId`, those of the whole draft, if all its folders go to one
   * assignment. `total`: how many there are; `listed`: how many of them can be read, at most 10,000.
   */
  names: call(
    z.object({
      rowId: z.int().optional(),
      ...paging,
    }),
    z.object({ renames: z.array(Rename).readonly(), total: z.int(), listed: z.int() }),
  ),
  clashes: call(z.object({ rowId: z.int() }), z.object({ clashes: z.array(DraftClash).readonly(), total: z.int() })),
  /**
   * Sets what happens to files of a row whose FileNames are taken: to all such files, or to those with these `paths`.
   */
  setClash: call(
    z.object({ rowId: z.int(), onClash: OnClash, paths: z.array(Path).max(10_000).readonly().optional() }),
    z.void(),
  ),
  /** Matches the folders with the assignments read so far. The matches may change when more assignments are read. */
  skipUpdate: call(nothing, z.void()),
  /**
   * Starts one upload of all rows that have an assignment and something to send. Undecided rows, and rows whose folder
   * cannot be read (`reason`), stay in the draft; if there are no such rows, the draft ends. `schedule`: when the
   * upload may be sent; `receipt`: the receipt that is saved when it ends. If they are absent, the settings apply.
   * `takesLater`: files that were added or changed after the review are sent, too; otherwise added files are counted
   * (`leftOut.later`), and changed files fail. `chosen`: the value of `chosen` in the draft that the user saw.
   *
   * Errors: `draft/changed` if the draft's `chosen` differs from the given one, which may happen while lists are being
   * read; `input/invalid` if there is nothing to send; `upload/folder-…` if no folder can be read; `auth/required`,
   * `data/…`.
   */
  start: call(
    z
      .object({
        schedule: WantedSchedule.optional(),
        receipt: AutomaticReceipt.optional(),
        takesLater: z.boolean().optional(),
        chosen: ChosenSum.optional(),
      })
      .optional(),
    z.object({ uploadId: UploadId }),
  ),
  discard: call(nothing, z.void()),
};

export const rulesCalls = {
  /** The last confirmed rules, newest first: at most 1,000, because users look through fewer. */
  list: call(nothing, z.array(MatchingRule).readonly()),
  /** Changes the assignment of a rule. Errors: `input/invalid` for an unknown rule or assignment, `data/…`. */
  set: call(z.object({ ruleId: z.int(), AssignmentId }), z.void()),
  remove: call(z.object({ ruleId: z.int() }), z.void()),
  /**
   * Removes all rules of the connection, and forgets what the user left out of its uploads, or included although the
   * app would leave it out. Errors: `data/…`.
   */
  clear: call(nothing, z.void()),
};
