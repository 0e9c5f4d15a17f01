/** The calls between the thread of a draft and the main thread. Everything in them is cloneable. */

import type { z } from 'zod';
import type { draftsCalls } from '../../../contract/calls/drafts.ts';
import type { Draft } from '../../../contract/drafts.ts';
import type { ErrorData } from '../../../contract/errors.ts';
import type { StoredTarget } from '../../cache/targets.ts';
import type { Upload } from '../../uploads/engine/uploads.ts';
import type { Source } from '../../uploads/source/scan.ts';

/** What was chosen; `name`: as people know it. */
export type DraftSource = Source & { readonly name: string };

/** `refusedBytes`: the size of the smallest file that was too large for this service's storage; absent: unknown. */
export type DraftStart = {
  readonly draftId: string;
  readonly sources: readonly DraftSource[];
  readonly AssignmentId?: string | undefined;
  readonly refusedBytes?: number | undefined;
};

type Input<Name extends keyof typeof draftsCalls> = z.output<(typeof draftsCalls)[Name]['input']>;
type Output<Name extends keyof typeof draftsCalls> = z.output<(typeof draftsCalls)[Name]['output']>;
type Answer<Name extends keyof typeof draftsCalls> = (input: Input<Name>) => Output<Name>;

/** A row that is about to be uploaded. */
export type PlannedRow = {
  readonly rowId: number;
  readonly upload: Upload;
};

/** The calls that the thread answers. */
export type ThreadCalls = {
  /** The first call, made once. */
  readonly open: (start: DraftStart) => Draft;
  readonly view: (nothing: undefined) => Draft;
  readonly add: (sources: readonly DraftSource[]) => Draft;
  /** How many lists of assignments are up to date. */
  readonly updating: (progress: { readonly read: number; readonly total: number }) => void;
  /** Some of the assignments that rows are matched with. */
  readonly targets: (part: readonly StoredTarget[]) => void;
  /** All targets are there. `reason`: why they may not be up to date. */
  readonly updated: (end: {
    readonly oldestAtMs?: number | undefined;
    readonly reason?: ErrorData | undefined;
  }) => void;
  readonly rows: Answer<'rows'>;
  /** With `found`: these, instead of those that matching proposes. */
  readonly candidates: (query: {
    readonly rowId: number;
    readonly found?: readonly string[] | undefined;
  }) => Output<'candidates'>;
  readonly assign: Answer<'assign'>;
  readonly leaveOut: Answer<'leaveOut'>;
  readonly takeIn: Answer<'takeIn'>;
  readonly alike: Answer<'alike'>;
  readonly undo: Answer<'undo'>;
  readonly setLevel: Answer<'setLevel'>;
  readonly setTarget: Answer<'setTarget'>;
  readonly setNames: Answer<'setNames'>;
  readonly clashes: Answer<'clashes'>;
  readonly setClash: Answer<'setClash'>;
  /** What a start would upload now. */
  readonly plan: (nothing: undefined) => readonly PlannedRow[];
  /** These rows are uploads now, and no longer part of the draft. Undefined: nothing is left of it. */
  readonly started: (rows: {
    readonly rowIds: readonly number[];
    readonly reason?: ErrorData | undefined;
  }) => Draft | undefined;
  /** Ends the scan, and then the thread. `hangs`: a drive does not answer, so the process cannot exit. */
  readonly end: (nothing: undefined) => Promise<{ readonly hangs: boolean }>;
};

/** The calls that main answers. */
export type MainCalls = {
  readonly draft: (draft: Draft) => void;
  readonly bug: (error: Error) => void;
};
