/** The files of a batch, and the files that are known to be on an assignment. */
import { z } from 'zod';
import { ErrorCode, ErrorData } from './errors.ts';
import { AssignmentFile } from './resources.ts';

/**
 * The life of one file: `queued` → `signing` → `sending` → `done`; or `skipped` (the same content is already there),
 * `failed`, `uncertain` (the service could not tell), `cancelled`. The ledger stores these values and `--json` prints
 * them, so they stay as they are; people read "uploading" for `sending`, "uploaded" for `done` and "unknown" for
 * `uncertain` (docs/glossary.md).
 */
export const FileState = z.enum([
  'queued',
  'signing',
  'sending',
  'done',
  'skipped',
  'failed',
  'uncertain',
  'cancelled',
]);
export type FileState = z.infer<typeof FileState>;

/** The state of a file in a list. `removed`: it was uploaded, and is no longer on its assignment; the ledger has it as `done`. */
export const ListedState = z.enum([...FileState.options, 'removed']);
export type ListedState = z.infer<typeof ListedState>;

/** One file of a batch. `path` is relative to the batch's root, with `/`. */
export const UploadFile = z.object({
  id: z.int(),
  path: z.string(),
  FileName: z.string(),
  sizeBytes: z.number(),
  state: ListedState,
  attempts: z.int(),
  error: ErrorData.optional(),
  sha256: z.string().optional(),
  finishedAtMs: z.number().optional(),
  /** Of a removed file, where the time is known. */
  removedAtMs: z.number().optional(),
  /**
   * Of a file that replaces earlier ones: `pending` until they are removed, also while it is not uploaded itself; `failed`:
   * one of them could not be removed, and why.
   */
  replaced: z.object({ state: z.enum(['pending', 'removed', 'failed']), error: ErrorData.optional() }).optional(),
});
export type UploadFile = z.infer<typeof UploadFile>;

/** How many files of a batch failed for one reason. */
export const ErrorGroup = z.object({ code: ErrorCode, files: z.int() });
export type ErrorGroup = z.infer<typeof ErrorGroup>;

/**
 * A file on disk compared with the ledger. `same`: as uploaded; `changed`: other content; `missing`;
 * `unreadable`: locked or forbidden; `not-uploaded`: the ledger has no proof that it arrived; `removed`: it is no longer on its
 * assignment, so that there is nothing to compare.
 */
export const Verdict = z.enum(['same', 'changed', 'missing', 'unreadable', 'not-uploaded', 'removed']);
export type Verdict = z.infer<typeof Verdict>;

/** `path` as in `UploadFile`; `sizeBytes`: when it was uploaded, or is to be. */
export const VerifiedFile = UploadFile.pick({ path: true, FileName: true, state: true, sizeBytes: true }).extend({
  verdict: Verdict,
});
export type VerifiedFile = Readonly<z.infer<typeof VerifiedFile>>;

/** Part of a batch, in order. `next`: where to continue; absent in the last part. */
export const VerifiedPart = z.object({ files: z.array(VerifiedFile).readonly(), next: z.int().optional() });
export type VerifiedPart = Readonly<z.infer<typeof VerifiedPart>>;

/**
 * A file this app knows to be on an assignment. No operation lists them, so these are the files uploaded here and
 * those that the last removal returned.
 */
export const KnownFile = AssignmentFile.extend({
  source: z.enum(['uploaded-here', 'seen-at-removal']),
  addedAtMs: z.number(),
  /** Of those uploaded here: the folder they came from, as `Chosen folder/below it`, and their size. */
  folder: z.string().optional(),
  sizeBytes: z.number().optional(),
});
export type KnownFile = z.infer<typeof KnownFile>;
