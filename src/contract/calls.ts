/**
 * Every call the renderer can make, in one object. The handlers in main, the bridge in preload and the client in
 * the renderer are typed and built from it: a call that is not here does not exist.
 */
import { z } from 'zod';
import { Batch, BatchId } from './batches.ts';
import { CachedProtocol, KnownAssignment } from './cached.ts';
import { Connection, ConnectionCheck, SessionStatus } from './connection.ts';
import { type Envelope, ErrorCode } from './errors.ts';
import { NameTemplate } from './names.ts';
import { Overview } from './overview.ts';
import { Preferences, ViewKey, ViewValue } from './preferences.ts';
import { ProtocolTable, ProtocolTableQuery } from './protocol-table.ts';
import { reading } from './reading.ts';
import {
  AssignmentFiles,
  AssignmentId,
  AssignmentList,
  AssignmentSummary,
  InspectionPoint,
  OrderableEvent,
  PageNumber,
  PlanAfterValue,
  ProtocolPage,
} from './resources.ts';
import { Found, SearchQuery, SearchText, searchResults } from './search.ts';
import { Snapshot } from './snapshot.ts';
import { ErrorGroup, FileState, KnownFile, UploadFile, VerifiedPart } from './upload-files.ts';
import { Folder, UploadDoubt, UploadPreview } from './upload-preview.ts';

const call = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });

const nothing = z.undefined();
const offline = z.boolean().optional();
const ofProtocol = z.object({ InspectionProtocolId: z.string().min(1), offline });
const ofBatch = z.object({ batchId: BatchId });
/** Without `nameTemplate` each file goes under its own name. */
const toAssignment = z.object({ AssignmentId, nameTemplate: NameTemplate.optional() });
const entry = z.object({ id: z.int() });
/** Of a save dialog: the path that was chosen, nothing when it was closed without a choice. */
const savedFile = z.object({ path: z.string() }).optional();

export const calls = {
  app: {
    /** All of main's state, at the start and whenever an event was missed. */
    snapshot: call(nothing, Snapshot),
    dismissNotices: call(nothing, z.void()),
    /** Ends the pauses that hosts asked for, and probes those that cannot be reached. */
    tryNow: call(nothing, z.void()),
    /** Shows the folder of the log file. Errors: `app/unsupported`. */
    openLogs: call(nothing, z.void()),
  },
  connection: {
    set: call(Connection.omit({ sample: true }), Connection),
    /** Whether a service and its sign-in answer at these addresses. Sends no token, follows no redirect, takes 8 s at most. */
    check: call(Connection.pick({ baseUrl: true, authUrl: true }), ConnectionCheck),
    /** Starts the embedded sandbox in its own process and connects to it. */
    useSample: call(nothing, Connection),
  },
  session: {
    /** Opens the system browser and answers when the flow has ended. */
    signIn: call(nothing, SessionStatus),
    cancelSignIn: call(nothing, z.void()),
    /** Opens the browser again for the sign-in that waits. Errors: `auth/cancelled` where none does, `auth/browser`. */
    openAgain: call(nothing, z.void()),
    /** Copies that sign-in's address, which never comes here. Errors: `auth/cancelled`, `app/unsupported`. */
    copyAddress: call(nothing, z.void()),
    /** With `eraseCache` all that was read over this connection is forgotten, too. */
    signOut: call(z.object({ eraseCache: z.boolean() }).optional(), z.void()),
  },
  protocols: {
    /** Interface operation 1. Without `Page` the service's first page. */
    list: call(z.object({ Page: PageNumber.optional(), Query: z.string().optional(), offline }), reading(ProtocolPage)),
    /** Interface operation 2. */
    assignments: call(ofProtocol, reading(AssignmentList)),
    /** Interface operation 3. */
    inspectionPoints: call(ofProtocol, reading(z.array(InspectionPoint))),
    /** A window of the cached protocols: never asks the service. */
    table: call(ProtocolTableQuery, ProtocolTable),
    /** A cached protocol. Errors: `cache/missing`. */
    get: call(ofProtocol.omit({ offline: true }), CachedProtocol),
  },
  assignments: {
    /** Interface operation 4. */
    projects: call(z.object({ County: z.string().optional(), offline }), reading(AssignmentList)),
    /** The counties for which assignments for projects were read. */
    counties: call(nothing, z.array(z.string())),
    /** What was last read of an assignment. Errors: `cache/missing`. */
    get: call(z.object({ AssignmentId: z.string().min(1) }), KnownAssignment),
    /**
     * Interface operation 7; without `PlanAfter` the value is cleared. `waiting`: the service cannot be reached, and
     * the change is in the outbox.
     */
    planAfter: call(
      z.object({ AssignmentId, PlanAfter: z.number().optional() }),
      PlanAfterValue.extend({ waiting: z.boolean() }),
    ),
    knownFiles: call(z.object({ AssignmentId }), z.array(KnownFile)),
    /** Interface operation 6. `waiting`: the removal is in the outbox, and `Files` are those known here. */
    removeFile: call(
      z.object({ AssignmentId, Key: z.string().min(1) }),
      AssignmentFiles.extend({ waiting: z.boolean() }),
    ),
  },
  orderableEvents: {
    /** Interface operation 8. */
    list: call(z.object({ offline }), reading(z.array(OrderableEvent))),
  },
  search: {
    /**
     * Cached protocols and assignments whose words begin as those of `text` do, in any order, or whose id does; where
     * these are few, also with one mistake in a word. `limit` of each.
     */
    find: call(z.object({ text: SearchText, limit: z.int().min(1).max(100).default(10) }), Found),
    /** The same, of one kind, by windows. */
    protocols: call(SearchQuery, searchResults(CachedProtocol)),
    assignments: call(SearchQuery, searchResults(AssignmentSummary)),
  },
  overview: {
    /** Counts over the cache. */
    read: call(nothing, Overview),
  },
  offline: {
    /** Begins, or goes on with, the walk that keeps everything; it answers at once and tells by `offline` events. */
    keepAll: call(nothing, z.void()),
    /** Pauses the walk. */
    cancel: call(nothing, z.void()),
  },
  cache: {
    size: call(nothing, z.object({ sizeBytes: z.number() })),
    /** Forgets all that was read over this connection. */
    clear: call(nothing, z.void()),
  },
  outbox: {
    /** Gives up a change that was not sent. One that is being sent, or is gone, stays as it is. */
    revoke: call(entry, z.void()),
    /** Offers a refused change again, and sends all that waits as soon as that works. */
    retry: call(entry, z.void()),
    /** Sends what waits now. Answers when that was tried. */
    send: call(nothing, z.void()),
  },
  preferences: {
    set: call(Preferences.partial(), Preferences),
  },
  view: {
    /** Keeps a piece of the window's state over restarts; null forgets it. */
    remember: call(z.object({ key: ViewKey, value: ViewValue }), z.void()),
  },
  export: {
    /** A table as a CSV file at a place that the person chooses. Errors: `app/unsupported`, `data/unwritable`. */
    csv: call(
      z.object({
        name: z.string().min(1).max(100),
        header: z.array(z.string()).max(100),
        rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean()]))).max(200_000),
      }),
      savedFile,
    ),
  },
  folders: {
    /** The native folder picker; nothing when it was closed without a choice. */
    pick: call(nothing, Folder.optional()),
  },
  uploads: {
    /**
     * What `start` would send of each folder, in this order, and under which names. One at a time: another one cancels
     * it (`app/cancelled`).
     */
    preview: call(toAssignment.extend({ folderIds: z.array(z.string()).min(1).max(20_000) }), UploadPreview),
    cancelPreview: call(nothing, z.void()),
    /** What speaks against an upload of that folder, as far as was read here; answered at once, without reading the folder. */
    doubts: call(toAssignment.omit({ nameTemplate: true }).extend({ folderId: z.string() }), z.array(UploadDoubt)),
    start: call(toAssignment.extend({ folderId: z.string() }), Batch),
    files: call(
      ofBatch.extend({
        states: z.array(FileState).optional(),
        error: ErrorCode.optional(),
        offset: z.int().min(0).default(0),
        limit: z.int().min(1).max(1000).default(200),
      }),
      z.object({ files: z.array(UploadFile), total: z.int() }),
    ),
    pause: call(ofBatch, Batch),
    resume: call(ofBatch, Batch),
    cancel: call(ofBatch, Batch),
    retryFailed: call(ofBatch, Batch),
    /** Of these files only; those that did not fail stay as they are. */
    retryFiles: call(ofBatch.extend({ ids: z.array(z.int()).max(100_000) }), Batch),
    /** Failed files by why they failed, the most frequent first. */
    errorGroups: call(ofBatch, z.array(ErrorGroup)),
    /** The receipt as CSV, or JSON, at a place that the person chooses. Errors: `app/unsupported`, `data/unwritable`. */
    saveReport: call(ofBatch, savedFile),
    /** Reads the next files of a batch on disk, after `after` (0: from the first), and holds them against the ledger. One at a time, as `preview`. */
    verify: call(ofBatch.extend({ after: z.int().min(0).default(0) }), VerifiedPart),
    cancelVerify: call(nothing, z.void()),
    /** Shows the batch's folder. Errors: `app/unsupported`. */
    reveal: call(ofBatch, z.void()),
  },
} as const;

export type Calls = typeof calls;

/** What a caller passes: nothing, or the input before defaults are filled in. */
type Arguments<I extends z.ZodType> = z.input<I> extends undefined ? [] : [input: z.input<I>];

/** The typed client: `desk.protocols.list({ Query: 'harbour' })`. A refusal is thrown as a `DeskError`. */
export type DeskClient = {
  readonly [G in keyof Calls]: {
    readonly [M in keyof Calls[G]]: Calls[G][M] extends {
      input: infer I extends z.ZodType;
      output: infer O extends z.ZodType;
    }
      ? (...args: Arguments<I>) => Promise<z.output<O>>
      : never;
  };
};

/** Main's side: one handler a call, given parsed input. */
export type Handlers = {
  readonly [G in keyof Calls]: {
    readonly [M in keyof Calls[G]]: Calls[G][M] extends {
      input: infer I extends z.ZodType;
      output: infer O extends z.ZodType;
    }
      ? (input: z.output<I>) => Promise<z.output<O>> | z.output<O>
      : never;
  };
};

/** What preload exposes for calls: one function each, answering an envelope. */
export type CallBridge = {
  readonly [G in keyof Calls]: { readonly [M in keyof Calls[G]]: (input?: unknown) => Promise<Envelope<unknown>> };
};

/** `group.method` of every call: the IPC channels, the preview's paths. */
export const callNames: readonly string[] = Object.entries(calls).flatMap(([group, methods]) =>
  Object.keys(methods).map((method) => `${group}.${method}`),
);

/**
 * An object of the shape of `calls` with `make(name)` in the place of each call.
 * The one place where the shape is rebuilt, so the callers need no cast of their own.
 */
export const mapCalls = <T>(
  make: (name: string) => T,
): { readonly [G in keyof Calls]: { readonly [M in keyof Calls[G]]: T } } =>
  Object.fromEntries(
    Object.entries(calls).map(([group, methods]) => [
      group,
      Object.fromEntries(Object.keys(methods).map((method) => [method, make(`${group}.${method}`)])),
    ]),
  ) as { readonly [G in keyof Calls]: { readonly [M in keyof Calls[G]]: T } };
