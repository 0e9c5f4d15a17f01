/** The log file: one JSON object a line, of events from a fixed list and without secrets, so that it can be shared. */
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pino } from 'pino';
import { DeskError } from '../../../contract/errors.ts';
import type { LogLevel } from '../../../contract/preferences.ts';
import { codeOf } from '../../async/error-code.ts';
import { FILE_MODE, FOLDER_MODE } from '../../data/data-directory.ts';
import { isWithin } from '../../data/user-file.ts';
import { redact } from '../../net/redact.ts';
import { LEVELS, type LogEvents } from './log-events.ts';

/** Writes what happened, with the fields that the event has, if its level is to be written. */
export type WriteLog = <Event extends keyof LogEvents>(event: Event, fields: LogEvents[Event]) => void;

export type Log = {
  readonly write: WriteLog;
  /** Writes events of this level and of more important ones from now on. At first `info`. */
  readonly setLevel: (level: LogLevel) => void;
  readonly close: () => void;
};

const maxBytes = 5 * 1024 * 1024;
const kept = 3;
const maxDepth = 6;
/** Of one text in a line. */
const maxChars = 4_000;

/**
 * Opens `<home>/logs/inspection-desk.log`, and creates it if necessary. Above 5 MB it is rotated, with three older files
 * as .1 to .3. Lines are written synchronously, so that the last one before a crash is there.
 * `safeValue` removes secrets, but callers should not pass any.
 * @throws the file system's error if the file cannot be opened; later write errors are ignored.
 */
export const createLog = (home: string): Log => {
  const folder = join(home, 'logs');
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const file = openRotated(join(folder, 'inspection-desk.log'));
  const logger = pino(
    {
      base: { pid: process.pid },
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    file,
  );
  return {
    write: (event, fields) =>
      logger[LEVELS[event]](
        safeValue(fields, (text) => logText(text, home)),
        event,
      ),
    setLevel: (level) => {
      logger.level = level;
    },
    close: file.close,
  };
};

/**
 * A text as the log may have it: without secrets, and without a path that names folders or files of the user, and so their
 * customers. Paths of the app's own data become relative to `home`.
 */
export const logText = (text: string, home: string): string => {
  if (!/^(?:[/\\]|[a-z]:[/\\])/i.test(text)) return redact(text);
  return isWithin(home, text) ? join('[data directory]', relative(home, text)) : '[path]';
};

/** Fields whose values are never written. */
const secretName = /token|secret|password|authorization|cookie|verifier|signedurl|^url$/i;

/**
 * `value` without secrets: strings pass through `clean`, fields with a secret's name are cut, errors are reduced. A
 * `DeskError` keeps code, details and retry; other errors keep name, code and stack frames, because their messages may
 * quote addresses or answers.
 */
export const safeValue = (value: unknown, clean: (text: string) => string = redact, depth = 0): unknown => {
  if (typeof value === 'string') return clean(value.slice(0, maxChars));
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (depth >= maxDepth) return '[deep]';
  const inner = (one: unknown): unknown => safeValue(one, clean, depth + 1);
  if (value instanceof Error) return safeError(value, clean, inner);
  if (value instanceof URL) return clean(value.href);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map(inner);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      secretName.test(name) ? '[cut]' : name === 'path' ? withoutPlace(inner(one)) : inner(one),
    ]),
  );
};

/** `path` unless it is within a folder of the user: a relative one is recognised by its field only. */
const withoutPlace = (path: unknown): unknown =>
  typeof path === 'string' && !/^(?:[/\\]|[a-z]:[/\\]|\[data directory\])/i.test(path) ? '[path]' : path;

const safeError = (error: Error, clean: (text: string) => string, inner: (value: unknown) => unknown): unknown => {
  const cause = error.cause instanceof Error ? { cause: inner(error.cause) } : {};
  if (error instanceof DeskError) {
    return { code: error.code, retry: error.retry, details: inner(error.details), ...cause };
  }
  const code = codeOf(error);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line));
  return {
    name: error.name,
    ...(code !== undefined && { code }),
    at: frames.slice(0, 8).map((line) => clean(line.trim())),
    ...cause,
  };
};

/** A file that is appended to, and rotated when it is full. */
const openRotated = (path: string) => {
  let fd: number | undefined;
  let sizeBytes = 0;
  const open = (): void => {
    fd = openSync(path, 'a', FILE_MODE);
    sizeBytes = fstatSync(fd).size;
  };
  const close = (): void => {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  };
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) rotate(path);
  open();
  return {
    write: (line: string): void => {
      if (fd === undefined) return;
      // A full disk must not crash the app.
      try {
        sizeBytes += writeSync(fd, line);
        if (sizeBytes <= maxBytes) return;
        close();
        rotate(path);
      } catch {
        // The next line may succeed.
      }
      reopen();
    },
    close,
  };

  function reopen(): void {
    try {
      if (fd === undefined) open();
    } catch {
      // Nothing more can be written until the next start.
    }
  }
};

const rotate = (path: string): void => {
  for (let age = kept; age >= 1; age -= 1) {
    const older = `${path}.${age}`;
    const newer = age === 1 ? path : `${path}.${age - 1}`;
    if (statSync(newer, { throwIfNoEntry: false }) !== undefined) renameSync(newer, older);
  }
};
