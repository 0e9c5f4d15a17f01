/** The log file: one JSON object a line, without secrets, so that it can be shared. */
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { DeskError } from '../../contract/errors.ts';
import { FILE_MODE, FOLDER_MODE } from '../data/data-directory.ts';
import { redact } from '../net/redact.ts';

/** `event` is a fixed name (`session.restored`); everything that varies belongs in the fields. */
type Write = (event: string, fields?: Readonly<Record<string, unknown>>) => void;

export type Log = {
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  readonly close: () => void;
};

const maxBytes = 5 * 1024 * 1024;
const kept = 3;
const maxDepth = 6;

/**
 * Opens `<home>/logs/inspection-desk.log`, and creates it if necessary. Above 5 MB it is rotated, with three older files
 * as .1 to .3. Lines are written synchronously, so that the last one before a crash is there.
 * `safeValue` removes secrets, but callers should not pass any.
 * @throws the file system's error if the file cannot be opened; later write errors are ignored.
 */
export const createLog = (home: string): Log => {
  const folder = join(home, 'logs');
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const path = join(folder, 'inspection-desk.log');
  rotate(path);
  const destination = pino.destination({ dest: path, sync: true, mode: FILE_MODE });
  // A full disk must not crash the app.
  destination.on('error', () => {});
  const logger = pino(
    {
      base: { pid: process.pid },
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  const write =
    (level: 'info' | 'warn' | 'error'): Write =>
    (event, fields = {}) =>
      logger[level](safeValue(fields), event);
  return { info: write('info'), warn: write('warn'), error: write('error'), close: () => destination.end() };
};

/** Fields whose values are never written. */
const secretName = /token|secret|password|authorization|cookie|verifier|signedurl|^url$/i;

/**
 * `value` without secrets: strings are redacted, fields with a secret's name are cut, errors are reduced. A `DeskError`
 * keeps code, details and retry; other errors keep name, code and stack frames, because their messages may quote
 * addresses or answers.
 */
export const safeValue = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (depth >= maxDepth) return '[deep]';
  if (value instanceof Error) return safeError(value, depth);
  if (value instanceof URL) return redact(value.href);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((one) => safeValue(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, secretName.test(name) ? '[cut]' : safeValue(one, depth + 1)]),
  );
};

const safeError = (error: Error, depth: number): unknown => {
  const cause = error.cause instanceof Error ? { cause: safeValue(error.cause, depth + 1) } : {};
  if (error instanceof DeskError) {
    return { code: error.code, retry: error.retry, details: safeValue(error.details, depth + 1), ...cause };
  }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line));
  return { name: error.name, ...code, at: frames.slice(0, 8).map((line) => redact(line.trim())), ...cause };
};

const rotate = (path: string): void => {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= maxBytes) return;
  for (let age = kept; age >= 1; age -= 1) {
    const older = `${path}.${age}`;
    const newer = age === 1 ? path : `${path}.${age - 1}`;
    if (statSync(newer, { throwIfNoEntry: false }) !== undefined) renameSync(newer, older);
  }
};
