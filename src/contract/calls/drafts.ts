/** New upload: folders are scanned, matched with assignments, reviewed, and started together. One draft at a time. */
import { z } from 'zod';
import { Draft, DraftCandidate, DraftClash, DraftFilter, DraftRow, DraftSum } from '../drafts.ts';
import { WantedSchedule } from '../hours.ts';
import { JobLevel } from '../matching.ts';
import { NameTemplate, OnClash, Rename } from '../names.ts';
import { AutomaticReceipt } from '../receipts.ts';
import { AssignmentId } from '../resources.ts';
import { SearchText } from '../search.ts';
import { call, FolderId, nothing, Path } from './call.ts';

const rows = z.object({ rowIds: z.array(z.int()).min(1).max(100_000).readonly() });
const folderIds = z.array(FolderId).min(1).max(20_000).readonly();

export const draftsCalls = {
  /**
   * Begins a draft with these folders in place of the present one, and scans them. With `AssignmentId` everything goes
   * there; without, each folder is matched. Changes arrive as events `draft`. Errors: `upload/folder-…`.
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
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(1000).default(200),
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
  /** The same choice for all rows whose names say the same: `rowIds` of those it will change, before it does. */
  alike: call(z.object({ rowId: z.int() }), z.object({ rowIds: z.array(z.int()).readonly() })),
  /** Takes back the last change of rows. */
  undo: call(nothing, Draft),
  setLevel: call(z.object({ level: JobLevel }), Draft),
  /** Everything to one assignment, or (without one) each folder to its own. */
  setTarget: call(z.object({ AssignmentId: AssignmentId.optional() }), Draft),
  setNames: call(z.object({ nameTemplate: NameTemplate, onClash: OnClash }), Draft),
  /**
   * The files that will get another name: of a row, or (without one) of everything, where all of it goes to one
   * assignment. `total`: how many there are; only the first 10,000 are listed.
   */
  names: call(
    z.object({
      rowId: z.int().optional(),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(1000).default(200),
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
   * reviewed; otherwise added ones are counted (`leftOut.later`), and changed ones fail. `toSend`: what the user saw. Errors: `draft/changed` if
   * anything else would be sent, as while lists are still being read; `auth/required`, `data/…`.
   */
  start: call(
    z
      .object({
        schedule: WantedSchedule.optional(),
        receipt: AutomaticReceipt.optional(),
        takesLater: z.boolean().optional(),
        toSend: DraftSum.optional(),
      })
      .optional(),
    z.object({ uploadId: z.guid() }),
  ),
  discard: call(nothing, z.void()),
};
