/**
 * Pauses a batch in which everything fails: whatever fails one file after another would fail the rest, and each of them
 * would have to be retried.
 */
import { DeskError, type ErrorCode } from '../../../contract/errors.ts';
import type { Settled } from '../transfer/transfer.ts';

/** This many files in a row with the same error indicate a systemic failure. */
export const FAILED_IN_A_ROW = 20;

/** Errors of a file itself, which do not predict the next one. */
const OWN_REASONS: ReadonlySet<ErrorCode> = new Set(['upload/file-changed', 'upload/file-locked', 'upload/too-large']);

/**
 * A circuit breaker for one run of a batch: receives each settled file and answers why the batch should pause, once the
 * last `limit` files in a row failed with the same code.
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

/** The part of the file's error that applies to all files; its path, for example, does not. */
const paused = ({ code, message, retry, details: { status, error } }: DeskError): DeskError =>
  new DeskError(code, message, {
    retry,
    details: { ...(status !== undefined && { status }), ...(error !== undefined && { error }) },
  });
