/**
 * What the main process tells the renderer beside the service's own resources: the connection, the session,
 * upload batches and their files. The app's own fields are camelCase; the service's keep their names.
 */
import { z } from 'zod';
import { ErrorCode, ErrorData } from './errors.ts';
import { Rename } from './names.ts';
import { OfflineStatus, OutboxEntry } from './offline.ts';
import { Preferences, Views } from './preferences.ts';
import { Reachability } from './reachability.ts';
import { AssignmentFile, AssignmentId } from './resources.ts';

/** Where the service is. `sample` marks the embedded sandbox ("Explore with sample data"). */
export const Connection = z.object({
  baseUrl: z.url({ protocol: /^https?$/ }),
  authUrl: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1),
  /** Sent with the sign-in as it is (RFC 6749 section 3.3); absent: not sent. */
  scope: z.string().min(1).optional(),
  /** Sends the client id with each refresh; absent: only where the service turned out to need it. */
  sendClientIdOnRefresh: z.boolean().optional(),
  sample: z.boolean().default(false),
});
export type Connection = z.infer<typeof Connection>;

/** What is wrong with the addresses of a connection that was tried; nothing where a service and its sign-in answer. */
export const ConnectionCheck = z.object({ baseUrl: ErrorData.optional(), authUrl: ErrorData.optional() });
export type ConnectionCheck = z.infer<typeof ConnectionCheck>;

/** Who is signed in. `subject` is the `sub` of the access token where that is a JWT. `expiresAt`: ms since 1970. */
export const SessionStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('signed-out'), reason: ErrorData.optional() }),
  z.object({ state: z.literal('waiting'), expiresAt: z.number() }),
  z.object({ state: z.literal('signed-in'), subject: z.string().optional() }),
]);
export type SessionStatus = z.infer<typeof SessionStatus>;

/** A folder the person picked or dropped, or files of one. The renderer knows it by `folderId` only, by no path. */
export const Folder = z.object({ folderId: z.string(), name: z.string() });
export type Folder = z.infer<typeof Folder>;

export const BatchId = z.guid();

/**
 * `scanning`: reading the folder, and sending what was found so far; `running`: sending. Either, with a `reason`, while
 * it waits for a network. `paused`: by the person, or by `reason`; `finished`: every file is settled, some perhaps
 * failed; `cancelled`.
 */
export const BatchState = z.enum(['scanning', 'running', 'paused', 'finished', 'cancelled']);
export type BatchState = z.infer<typeof BatchState>;

/** Files of the folder that were not taken up, counted by why. */
export const LeftOut = z.object({
  hidden: z.int(),
  system: z.int(),
  links: z.int(),
  /** Pipes, sockets and devices. Not counted by older versions. */
  special: z.int().default(0),
  unreadable: z.int(),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** What an upload of a folder would send. `renamed`: how many files get another name; `renames`: the first of them. */
export const UploadPreview = z.object({
  files: z.int(),
  bytes: z.number(),
  renamed: z.int(),
  renames: z.array(Rename),
  leftOut: LeftOut,
});
export type UploadPreview = z.infer<typeof UploadPreview>;

/**
 * One upload of one folder to one assignment. Counts are files; `bytes…` are bytes; times are ms since 1970.
 * `uploaded + skipped + failed + cancelled` are settled, `failed` with those that are uncertain. `bytesSent` is what
 * is done of `bytes`: files uploaded or skipped, and what went out so far of those on their way.
 */
export const Batch = z.object({
  batch: BatchId,
  AssignmentId,
  /** The name of the assignment (`assignmentName`), as far as it has been read here. */
  title: z.string().optional(),
  root: z.string(),
  state: BatchState,
  reason: ErrorData.optional(),
  files: z.int(),
  uploaded: z.int(),
  skipped: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  bytes: z.number(),
  bytesSent: z.number(),
  bytesPerSecond: z.number(),
  created: z.number(),
  finished: z.number().optional(),
  leftOut: LeftOut,
});
export type Batch = z.infer<typeof Batch>;

/** Whether somebody has given the batch up, and not all of its files are settled yet. Nothing else becomes of it. */
export const isBeingCancelled = ({ reason }: { readonly reason?: ErrorData | undefined }): boolean =>
  reason?.code === 'upload/cancelling';

/**
 * The life of one file, in the order of the ledger: `queued` → `signing` → `sending` → `done`; or `skipped` (the
 * same content is already there), `failed`, `uncertain` (the service could not tell), `cancelled`.
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

/** One file of a batch. `path` is relative to the batch's root, with `/`. */
export const UploadFile = z.object({
  id: z.int(),
  path: z.string(),
  FileName: z.string(),
  sizeBytes: z.number(),
  state: FileState,
  attempts: z.int(),
  error: ErrorData.optional(),
  sha256: z.string().optional(),
  finished: z.number().optional(),
});
export type UploadFile = z.infer<typeof UploadFile>;

/** How many files of a batch failed for one reason. */
export const ErrorGroup = z.object({ code: ErrorCode, files: z.int() });
export type ErrorGroup = z.infer<typeof ErrorGroup>;

/**
 * A file on disk held against the ledger. `same`: as it was uploaded; `changed`: another content; `missing`;
 * `unreadable`: locked or forbidden; `not-uploaded`: the ledger has no proof that it arrived.
 */
export const Verdict = z.enum(['same', 'changed', 'missing', 'unreadable', 'not-uploaded']);
export type Verdict = z.infer<typeof Verdict>;

/** `path` as in `UploadFile`; `sizeBytes`: when it was uploaded, or is to be. */
export const VerifiedFile = UploadFile.pick({ path: true, FileName: true, state: true, sizeBytes: true }).extend({
  verdict: Verdict,
});
export type VerifiedFile = Readonly<z.infer<typeof VerifiedFile>>;

/** Part of a batch, in order. `next`: where to go on; absent where it was the last. */
export const VerifiedPart = z.object({ files: z.array(VerifiedFile), next: z.int().optional() });
export type VerifiedPart = Readonly<z.infer<typeof VerifiedPart>>;

/**
 * A file this app knows to be on an assignment: no operation lists them, so known are those uploaded here and
 * those the last removal answered.
 */
export const KnownFile = AssignmentFile.extend({
  source: z.enum(['uploaded-here', 'seen-at-removal']),
  at: z.number(),
  /** Of those uploaded here: the folder they came from, as `Chosen folder/below it`, and their size. */
  folder: z.string().optional(),
  sizeBytes: z.number().optional(),
});
export type KnownFile = z.infer<typeof KnownFile>;

/** Something a person should know that no call of theirs caused, such as a damaged settings file moved aside. */
export const Notice = ErrorData;
export type Notice = z.infer<typeof Notice>;

/**
 * A read of the service, or of the cache when offline. `unreadable` counts items that were left out because they
 * did not have the interface's shape; `fetchedAt`: ms since 1970.
 */
export const reading = <T extends z.ZodType>(value: T) =>
  z.object({ value, unreadable: z.int(), source: z.enum(['service', 'cache']), fetchedAt: z.number() });
export type Reading<T> = {
  readonly value: T;
  readonly unreadable: number;
  readonly source: 'service' | 'cache';
  readonly fetchedAt: number;
};

/** Everything the renderer shows of main's state, at `revision`. */
export const Snapshot = z.object({
  revision: z.int(),
  version: z.string(),
  /** The locale in which the system writes dates and numbers; absent where the page knows it itself. */
  locale: z.string().optional(),
  connection: Connection.optional(),
  session: SessionStatus,
  batches: z.array(Batch),
  notices: z.array(Notice),
  reachability: Reachability,
  offline: OfflineStatus,
  outbox: z.array(OutboxEntry),
  preferences: Preferences,
  views: Views,
});
export type Snapshot = z.infer<typeof Snapshot>;
