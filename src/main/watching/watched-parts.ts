/** What watched folders need of the other services, and how often they look. */

import type { Owner } from '../../contract/connection.ts';
import type { Batch, BatchSchedule, OnClash } from '../../contract/uploads.ts';
import type { WatchedFolder } from '../../contract/watched-folders.ts';
import type { FolderReader, WatchTimes } from './folder-watch.ts';
import type { Facts } from './pending-files.ts';
import type { WatchedStore } from './watched-store.ts';

/** Files of a folder, by the folder's absolute path and their names; or a whole folder. `realRoot`: its path without links. */
export type WatchedSource = {
  readonly root: string;
  readonly realRoot?: string | undefined;
  readonly only?: readonly string[];
};

/** Job folders to be matched. `path`: from the name of the watched folder, which lies at `rootPath`, with `/`; `fileNames`: some of the files. */
export type JobFolder = {
  readonly path: string;
  readonly rootPath: string;
  readonly fileNames: readonly string[];
};

export type WatchedTimes = WatchTimes & {
  /** How long complete files wait for others of their job that are being written. */
  readonly gatherMs: number;
  /** How often hours, and what could not be sent, are looked at again. */
  readonly tickMs: number;
  /** How often folders without an assignment are matched again. */
  readonly matchMs: number;
};

export const WATCHED_TIMES: WatchedTimes = {
  settleMs: 10_000,
  scanMs: 5 * 60_000,
  blindScanMs: 30_000,
  missingMs: 5_000,
  gatherMs: 60_000,
  tickMs: 15_000,
  matchMs: 10 * 60_000,
};

export type TakenVersion = { readonly path: string } & Pick<Facts, 'sizeBytes' | 'modifiedMs'> & {
    readonly identity?: Pick<Facts, 'id' | 'changedMs'> | undefined;
    /** Of its content on the assignment, once it is there. */
    readonly sha256?: string | undefined;
  };

/** A file of a source as it was found. `path`: its name. */
type VersionToSend = { readonly path: string } & Pick<Facts, 'sizeBytes' | 'modifiedMs'> & {
    readonly identity: Pick<Facts, 'id' | 'changedMs'>;
  };

/** The uploads of the connection, as far as watched folders need them. */
export type WatchedUploads = {
  readonly startTogether: (together: {
    readonly uploads: readonly (WatchedSource & {
      readonly found: readonly VersionToSend[];
      readonly assignmentId: string;
      readonly onClash: OnClash;
    })[];
    /** The upload that they belong to; absent: a new one. */
    readonly uploadId: string | undefined;
    readonly schedule?: BatchSchedule;
  }) => Promise<readonly Batch[]>;
  readonly present: () => readonly Batch[];
  readonly resume: (batch: string) => Promise<unknown>;
  readonly setSchedule: (batch: string, schedule: BatchSchedule) => Promise<unknown>;
  /** The files of a batch as it takes them, by their paths below its root. */
  readonly versions: (batch: string) => AsyncIterable<TakenVersion>;
  /** Errors: `upload/file-…`, `upload/stalled`. */
  readonly contentOf: (path: string, signal: AbortSignal) => Promise<{ readonly sha256: string }>;
};

export type WatchedFoldersOptions = {
  readonly store: WatchedStore;
  readonly owner: () => Owner;
  readonly isSignedIn: () => boolean;
  readonly uploads: WatchedUploads;
  readonly reader: FolderReader & { readonly realRoot: (root: string) => Promise<string | undefined> };
  /** The assignment of each folder, where it is certain. */
  readonly match: (folders: readonly JobFolder[], signal: AbortSignal) => Promise<readonly (string | undefined)[]>;
  readonly title: (assignmentId: string) => string | undefined;
  readonly onChange: (folders: readonly WatchedFolder[]) => void;
  readonly onBug: (error: unknown) => void;
  /** Wall-clock time, for the hours. */
  readonly now: () => number;
  readonly times?: Partial<WatchedTimes> | undefined;
};
