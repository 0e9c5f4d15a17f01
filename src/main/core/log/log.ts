/**
 * Defines the log's events, and writes them to a file: each as a JSON object on its own line. Secrets are removed
 * before a line is written, so that users can share the file.
 */

import { closeSync, fstatSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { omitBy } from 'es-toolkit/object/omitBy';
import { pick } from 'es-toolkit/object/pick';
import { isPlainObject } from 'es-toolkit/predicate/isPlainObject';
import { attempt } from 'es-toolkit/util/attempt';
import { pino } from 'pino';
import type { DeskEvent, UpdateStatus } from '../../../contract/app.ts';
import { NOTHING_ASKED, type Reach, type SessionStatus, type Side, troubleOf } from '../../../contract/connection.ts';
import { codeOf, DeskError, type ErrorCode, type ErrorData } from '../../../contract/errors.ts';
import type { LogLevel } from '../../../contract/preferences.ts';
import { type Batch, hasEnded, isActive, type UploadFile } from '../../../contract/uploads.ts';
import { steadyWallNow } from '../../async/clock.ts';
import { FILE_MODE, FOLDER_MODE, orUnwritable } from '../../data/files.ts';
import { isWithin } from '../../data/user-file.ts';
import { redact } from '../../net/translate.ts';

const COUNTS = [
  ...(['state', 'files', 'uploaded', 'skipped', 'failed', 'cancelled', 'bytes'] as const),
  ...(['removed', 'resent', 'notReplaced'] as const),
] as const;

type OfBatch = { readonly batch: string; readonly upload: string };
type Nothing = Readonly<Record<never, never>>;

/**
 * The fields of each event. No field may hold names of files or customers. `host`: in the format of `URL.host`. Counts
 * are of files. `seconds`: the age of the batch.
 */
type LogEvents = {
  readonly opened: { readonly version: string; readonly node: string; readonly platform: string };
  readonly closed: Nothing;
  readonly 'data-directory.closed': { readonly entries: number };
  readonly 'data-directory.without-modes': Nothing;
  /** A message to the user that is not the response to a call. */
  readonly notice: { readonly error: unknown };
  /** An error in work whose result no caller awaits. */
  readonly background: { readonly error: unknown };
  readonly bug: { readonly error: unknown };
  /** A call of the contract was rejected. Outages and errors of normal operation are not logged (`logRefusals`). */
  readonly 'call.failed': { readonly call: string; readonly error: unknown };
  readonly session: { readonly session: SessionStatus['state']; readonly code?: ErrorCode | undefined };
  readonly reach: {
    readonly side: Side;
    readonly state: Reach['state'];
    readonly host?: string;
    readonly code?: ErrorCode;
  };
  /**
   * The route to an origin, logged whenever it changes, for a limited number of origins. `by`: its hops; `source`: what
   * determined it.
   */
  readonly route: { readonly origin: string; readonly by: readonly string[]; readonly source: string };
  readonly doctor: {
    readonly ok: boolean;
    readonly wrong: readonly {
      readonly check: string;
      readonly host?: string | undefined;
      readonly code?: ErrorCode | undefined;
    }[];
  };
  readonly update: {
    readonly state: UpdateStatus['state'];
    readonly version?: string | undefined;
    readonly code?: ErrorCode | undefined;
  };
  readonly 'upload.started': OfBatch;
  readonly 'upload.waits': OfBatch & { readonly code: ErrorCode; readonly details: ErrorData['details'] };
  readonly 'upload.continues': OfBatch & { readonly waitedSeconds: number };
  readonly 'upload.paused': OfBatch & { readonly code?: ErrorCode | undefined };
  /** `reasons`: the number of failed files by error code. `removed`, `resent` and `notReplaced` are absent if 0. */
  readonly 'upload.ended': OfBatch &
    Pick<Batch, (typeof COUNTS)[number]> & {
      readonly seconds: number;
      readonly reasons: Readonly<Record<string, number>>;
    };
  readonly 'upload.file': Pick<UploadFile, 'state' | 'attempts' | 'sizeBytes'> & {
    readonly batch: string;
    readonly code?: ErrorCode | undefined;
  };
};

const LEVELS: Readonly<Partial<Record<keyof LogEvents, LogLevel>>> = {
  notice: 'warn',
  background: 'error',
  bug: 'error',
  'call.failed': 'warn',
  'upload.waits': 'warn',
  'upload.file': 'debug',
};

export type WriteLog = <Event extends keyof LogEvents>(event: Event, fields: LogEvents[Event]) => void;

export type Log = ReturnType<typeof openLog>;

const maxBytes = 5 * 1024 * 1024;
const kept = 3;
const maxDepth = 6;
/** The maximum length of a text after its secrets were removed. The rest is cut off. */
const maxChars = 4_000;
/** The maximum length of a text that is searched for secrets. Of a longer text, only the length is written. */
const maxCleanedChars = 100_000;

/**
 * Opens `<home>/logs/inspection-desk.log`, and creates it if necessary. A file above 5 MiB is rotated; three older
 * files are kept as .1 to .3. If the rotation fails, it is tried again after another 5 MiB. Lines are written
 * synchronously, so that the last line before a crash is in the file. Write errors are ignored. Secrets are removed
 * (`safeValue`), but callers should not pass any.
 * @throws DeskError `data/unwritable` if the file cannot be opened
 */
export const openLog = (home: string) => {
  const file = openFile(join(home, 'logs'));
  const logger = pino(
    {
      base: { pid: process.pid },
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    file,
  );
  const write: WriteLog = (event, fields) =>
    logger[LEVELS[event] ?? 'info'](
      safeValue(fields, (text) => logText(text, home)),
      event,
    );
  return {
    write,
    /** Sets the minimum level of events that are written; initially `info`. */
    setLevel: (level: LogLevel): void => {
      logger.level = level;
    },
    close: file.close,
  };
};

const openFile = (folder: string): ReturnType<typeof openRotated> =>
  orUnwritable('the log cannot be written', { path: folder }, () => {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    return openRotated(join(folder, 'inspection-desk.log'));
  });

/**
 * Removes from `text` what the log must not contain. An absolute path becomes `[path]`, because names of folders and
 * files may name customers; a path in the data directory `home` becomes relative to it. Secrets are removed from other
 * texts.
 */
export const logText = (text: string, home: string): string => {
  if (!/^(?:[/\\]|[a-z]:[/\\])/i.test(text)) return redact(text);
  return isWithin(home, text) ? join('[data directory]', relative(home, text)) : '[path]';
};

const secretName = /token|secret|password|authorization|cookie|verifier|signedurl|^url$/i;

/**
 * Returns `value` without secrets. Strings pass through `clean`; a field whose name suggests a secret becomes `[cut]`.
 * A `DeskError` keeps code, retry, details (`withoutSaid`) and cause. Other errors keep name, code, stack frames and
 * cause, but no message, which may quote addresses or responses.
 */
export const safeValue = (value: unknown, clean: (text: string) => string = redact, depth = 0): unknown => {
  if (typeof value === 'string') {
    // The text is shortened last, because a part of a secret may not look like a secret.
    return value.length > maxCleanedChars ? `[${value.length} characters]` : clean(value).slice(0, maxChars);
  }
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (depth >= maxDepth) return '[deep]';
  const inner = (one: unknown): unknown => safeValue(one, clean, depth + 1);
  if (value instanceof Error) return safeError(value, inner);
  if (value instanceof URL) return inner(value.href);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map(inner);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      secretName.test(name)
        ? '[cut]'
        : name === 'path'
          ? withoutPlace(inner(one))
          : inner(name === 'details' ? withoutSaid(one) : one),
    ]),
  );
};

/** Hides a relative path, which `clean` does not recognise as a path. */
const withoutPlace = (path: unknown): unknown =>
  typeof path === 'string' && !/^(?:[/\\]|[a-z]:[/\\]|\[data directory\])/i.test(path) ? '[path]' : path;

/** Removes from an error's details the text of a server (`spokenError`), which may name customers. A code stays. */
const withoutSaid = (details: unknown): unknown =>
  isPlainObject(details)
    ? omitBy(details, (one, name) => name === 'message' || (name === 'error' && !/^[\w.:-]+$/.test(String(one))))
    : details;

const safeError = (error: Error, inner: (value: unknown) => unknown): unknown => {
  const cause = error.cause instanceof Error ? { cause: inner(error.cause) } : {};
  if (error instanceof DeskError) {
    return { code: error.code, retry: error.retry, details: inner(withoutSaid(error.details)), ...cause };
  }
  const code = codeOf(error);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line));
  return {
    name: error.name,
    ...(code !== undefined && { code }),
    at: frames.slice(0, 8).map((line) => inner(line.trim())),
    ...cause,
  };
};

const openRotated = (path: string) => {
  let fd: number | undefined;
  /** The size of the file or, after a rotation that failed, what was written since. */
  let sizeBytes = 0;
  let isClosed = false;
  const open = (): number => {
    fd = openSync(path, 'a', FILE_MODE);
    sizeBytes = fstatSync(fd).size;
    return fd;
  };
  const closeFile = (): void => {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  };
  const rotateFull = (): void => {
    if (sizeBytes <= maxBytes) return;
    closeFile();
    // On Windows, a file that another program has open cannot be renamed.
    const [failure] = attempt(() => rotate(path));
    open();
    if (failure) sizeBytes = 0;
  };
  open();
  rotateFull();
  return {
    write: (line: string): void => {
      if (isClosed) return;
      // A full disk must not crash the app.
      try {
        const bytes = writeSync(fd ?? open(), line);
        sizeBytes += bytes;
        rotateFull();
      } catch {
        // The line may be lost. The write of the next line opens the file again if necessary.
      }
    },
    close: (): void => {
      isClosed = true;
      closeFile();
    },
  };
};

const rotate = (path: string): void => {
  for (let age = kept; age >= 1; age -= 1) {
    const older = `${path}.${age}`;
    const newer = age === 1 ? path : `${path}.${age - 1}`;
    if (statSync(newer, { throwIfNoEntry: false }) !== undefined) renameSync(newer, older);
  }
};

/** Logs each change of the state (online, unreachable, held or unknown) of the service and of the storage. */
export const logReach = (onEvent: (listener: (event: DeskEvent) => void) => unknown, write: WriteLog): void => {
  let last = NOTHING_ASKED;
  const changed = (side: Side, reach: Reach): void => {
    if (reach.state === last[side].state) return;
    const trouble = troubleOf(reach);
    write('reach', { side, state: reach.state, ...(trouble && { host: trouble.host, code: trouble.reason.code }) });
  };
  onEvent((event) => {
    if (event.type !== 'reachability') return;
    changed('service', event.value.service);
    changed('storage', event.value.storage);
    last = event.value;
  });
};

type Reasons = readonly { readonly code: ErrorCode; readonly files: number }[];
type Known = { readonly state: 'active' | 'paused' | 'ended'; readonly waitsSinceMs?: number | undefined };

/**
 * Creates the log of the progress of batches, and of files that are settled, or queued again because they did not
 * arrive. `reasonsOf` resolves to the numbers of failed files by error code.
 */
export const createUploadLog = (
  write: WriteLog,
  reasonsOf: (batch: string) => Promise<Reasons>,
  now: () => number = steadyWallNow,
) => {
  const known = new Map<string, Known>();

  const ended = async (batch: Batch): Promise<void> => {
    const { batchId, uploadId, failed, createdAtMs } = batch;
    // The end is logged even if the ledger cannot be read.
    const reasons = failed > 0 ? await reasonsOf(batchId).catch(() => []) : [];
    write('upload.ended', {
      batch: batchId,
      upload: uploadId,
      ...pick(batch, COUNTS),
      seconds: Math.max(0, Math.round(((batch.finishedAtMs ?? now()) - createdAtMs) / 1_000)),
      reasons: Object.fromEntries(reasons.map(({ code, files: count }) => [code, count])),
    });
  };

  /** Logs the start and the waits of an active batch. Returns when its wait began; undefined if it does not wait. */
  const active = ({ batchId, uploadId, reason }: Batch, before: Known | undefined): number | undefined => {
    const of = { batch: batchId, upload: uploadId };
    const waitedSinceMs = before?.waitsSinceMs;
    if (before?.state !== 'active') write('upload.started', of);
    if (reason) {
      if (waitedSinceMs === undefined) write('upload.waits', { ...of, code: reason.code, details: reason.details });
      return waitedSinceMs ?? now();
    }
    if (waitedSinceMs !== undefined)
      write('upload.continues', { ...of, waitedSeconds: Math.round((now() - waitedSinceMs) / 1_000) });
    return undefined;
  };

  return {
    see: (batch: Batch): void => {
      const { batchId, uploadId, reason } = batch;
      const before = known.get(batchId);
      const state = isActive(batch) ? 'active' : hasEnded(batch) ? 'ended' : 'paused';
      known.set(batchId, { state, waitsSinceMs: state === 'active' ? active(batch, before) : undefined });
      if (before === undefined || before.state === state) return;
      if (state === 'paused') write('upload.paused', { batch: batchId, upload: uploadId, code: reason?.code });
      if (state === 'ended') void ended(batch);
    },
    file: (batch: string, { state, attempts, sizeBytes, error }: UploadFile): void =>
      write('upload.file', { batch, state, attempts, sizeBytes, code: error?.code }),
  };
};
