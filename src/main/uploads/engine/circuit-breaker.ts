/**
 * Stops a batch in which everything fails: what refuses one file after another would refuse the rest, and each of
 * them would have to be offered again.
 */
import { DeskError, type ErrorCode } from '../../../contract/errors.ts';
import type { Settled } from '../transfer/transfer.ts';

/** So many files in a row, failed alike, are no accident of theirs. */
export const FAILED_IN_A_ROW = 20;

/** Reasons that lie in a file itself and say nothing of the next one. */
const OWN_REASONS: ReadonlySet<ErrorCode> = new Set(['upload/file-changed', 'upload/file-locked', 'upload/too-large']);

/**
 * A breaker for one run of a batch: takes each file's end and answers why the batch should pause, once the last
 * `limit` files failed with one code and none came through between.
 */
export const createCircuitBreaker = (limit = FAILED_IN_A_ROW): ((settled: Settled) => DeskError | undefined) => {
  let code: ErrorCode | undefined;
  let failed = 0;
  return (settled) => {
    const error = 'error' in settled ? settled.error : undefined;
    if (error && OWN_REASONS.has(error.code)) return undefined;
    failed = error === undefined ? 0 : error.code === code ? failed + 1 : 1;
    code = error?.code;
    return error && failed >= limit ? paused(error) : undefined;
  };
};

/** Of the file's error what holds for all: its path, say, does not. */
const paused = ({ code, message, retry, details: { status, error } }: DeskError): DeskError =>
  new DeskError(code, message, {
    retry,
    details: { ...(status !== undefined && { status }), ...(error !== undefined && { error }) },
  });
