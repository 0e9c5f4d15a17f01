/** A row of the ledger's `item` table, as the rest of the app sees it. */

import type { SQLOutputValue } from 'node:sqlite';
import { ErrorData } from '../../../contract/errors.ts';
import { FileState, type ListedState } from '../../../contract/uploads.ts';
import { storedTime } from '../../data/sqlite.ts';
import type { FileIdentity } from '../source/file-identity.ts';

export type Item = {
  readonly id: number;
  /** Relative to the batch's root, with `/`. */
  readonly path: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly identity: FileIdentity | undefined;
  readonly state: FileState;
  readonly key: string | undefined;
  /** The signed Url while it may be needed: a credential. */
  readonly url: string | undefined;
  /** The storage may hold the file at `key`. */
  readonly unclear: boolean;
  /** Sends started, in all runs. */
  readonly attempts: number;
  readonly sha256: string | undefined;
  readonly etag: string | undefined;
  readonly error: ErrorData | undefined;
  /** When its first attempt started; ms since 1970. */
  readonly startedAtMs: number | undefined;
  /** When it was done, skipped, failed or cancelled; ms since 1970. */
  readonly settledAtMs: number | undefined;
  /** Set for an uploaded file that is no longer on its assignment, if the query joined `removed_file`. */
  readonly removed?: { readonly atMs: number | undefined };
};

export type Row = Readonly<Record<string, SQLOutputValue>>;

const text = (value: SQLOutputValue | undefined): string | undefined => (value == null ? undefined : String(value));
const time = (value: SQLOutputValue | undefined): number | undefined =>
  value == null ? undefined : storedTime.parse(value);

/** A FileName as a row stores it: empty where it is the last part of the path. */
export const storedName = (path: string, fileName: string): string => (baseName(path) === fileName ? '' : fileName);

/** The FileName of a row with `path` and `file_name`. */
export const nameOfRow = ({ path, file_name }: Row): string => text(file_name) || baseName(String(path));

/** The sha256 of a row with `digest`, in hex. */
export const sha256OfRow = ({ digest }: Row): string | undefined =>
  digest instanceof Uint8Array ? Buffer.from(digest).toString('hex') : undefined;

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `unclear` of a row whose file is sent in blocks, which are not committed yet. */
export const BLOCKS_ONLY = 2;

/** Selects items with the facts of their removal. */
export const WITH_REMOVAL = `SELECT item.*, removed_file.item IS NOT NULL AS removed, removed_file.at_ms AS removed_ms
  FROM item LEFT JOIN removed_file ON removed_file.item = item.id`;

/**
 * A row in state `sending` after an interruption counts as unclear: bytes may have been sent. If they were blocks, they
 * are no file until they are committed.
 */
export const toItem = (row: Row): Item => {
  const state = FileState.parse(row.state);
  const error = text(row.error);
  const fileId = text(row.file_id);
  return {
    id: Number(row.id),
    path: String(row.path),
    fileName: nameOfRow(row),
    sizeBytes: Number(row.size_bytes),
    modifiedMs: Number(row.modified_ms),
    identity: fileId === undefined ? undefined : { id: fileId, changedMs: Number(row.changed_ms) },
    state,
    key: text(row.key),
    // Stored in a separate table: see `createItemOf`.
    url: undefined,
    unclear: row.unclear === 1 || (state === 'sending' && row.unclear !== BLOCKS_ONLY),
    attempts: Number(row.attempts),
    sha256: sha256OfRow(row),
    etag: text(row.etag),
    error: error === undefined ? undefined : ErrorData.parse(JSON.parse(error)),
    startedAtMs: time(row.started_ms),
    settledAtMs: time(row.settled_ms),
    ...(row.removed === 1 && { removed: { atMs: time(row.removed_ms) } }),
  };
};

/** The state of an item as shown to users. */
export const listedState = ({ state, removed }: Pick<Item, 'state' | 'removed'>): ListedState =>
  removed ? 'removed' : state;
