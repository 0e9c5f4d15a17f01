/** The search for files that were uploaded from this computer or reported by the service. */
import { z } from 'zod';
import { UploadId } from './batches.ts';
import { AssignmentId } from './resources.ts';
import { SearchText } from './search.ts';
import { ListedState } from './upload-files.ts';

/** `reported`: the service named it when a file was removed. */
export const FoundState = z.enum([...ListedState.options, 'reported']);
export type FoundState = z.infer<typeof FoundState>;

/** The beginning of a sha256 in hex. Shorter ones would find files by chance. */
export const HashBeginning = z.string().regex(/^[0-9a-f]{6,64}$/i);

/**
 * `text`: beginnings of words, in any order, of the file's path and FileName, the name of the chosen folder and the name and
 * id of the assignment. `fromMs` and `beforeMs`: when the file was added (`FoundFile`). Reported files have no hash, no state
 * and no upload.
 */
export const FileQuery = z.object({
  text: SearchText.default(''),
  sha256: HashBeginning.optional(),
  fromMs: z.number().optional(),
  beforeMs: z.number().optional(),
  states: z.array(ListedState).max(ListedState.options.length).readonly().optional(),
  AssignmentId: AssignmentId.optional(),
  uploadId: UploadId.optional(),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(1000).default(200),
});
export type FileQuery = z.infer<typeof FileQuery>;

export const FoundFile = z.object({
  /** Below the chosen folder, with `/`; of a reported file its FileName. */
  path: z.string(),
  /** The chosen folder and those below it, as `Site A/photos`; absent for reported files. */
  folder: z.string().optional(),
  FileName: z.string(),
  sizeBytes: z.number().optional(),
  state: FoundState,
  AssignmentId,
  /** The name of the assignment (`assignmentName`), as far as it has been read here. */
  title: z.string().optional(),
  batchId: z.guid().optional(),
  /** Its `id` in that batch (`UploadFile`). */
  fileId: z.int().optional(),
  /** When it was uploaded, reported, or otherwise settled; until then, when its upload was started. */
  addedAtMs: z.number(),
  sha256: z.string().optional(),
});
export type FoundFile = z.infer<typeof FoundFile>;

/**
 * A window, newest uploads first. `isMore`: there are more than `total`, which is not counted to the end. `indexing`: files
 * of earlier uploads are still being added to the index: `files` of `total` can be found so far.
 */
export const FoundFiles = z.object({
  files: z.array(FoundFile).readonly(),
  total: z.int(),
  isMore: z.boolean(),
  indexing: z.object({ files: z.int(), total: z.int() }).optional(),
});
export type FoundFiles = z.infer<typeof FoundFiles>;

/**
 * Whether a file or folder of this computer was sent. `same`: files with its content; `alike`: other files with its name, or
 * files of folders with its name. Only files have a size and a hash.
 */
export const SentBefore = z.object({
  name: z.string(),
  sizeBytes: z.number().optional(),
  sha256: z.string().optional(),
  same: z.array(FoundFile).readonly(),
  alike: z.array(FoundFile).readonly(),
});
export type SentBefore = z.infer<typeof SentBefore>;
