/** Everything that the log can say: events, their fields and their levels. No field holds a name of a file or a customer. */

import type { UpdateStatus } from '../../../contract/app.ts';
import type { Reach, SessionStatus, Side } from '../../../contract/connection.ts';
import type { ErrorCode, ErrorData } from '../../../contract/errors.ts';
import type { LogLevel } from '../../../contract/preferences.ts';
import type { BatchState, ListedState } from '../../../contract/uploads.ts';

type OfBatch = { readonly batch: string; readonly upload: string };
type Nothing = Readonly<Record<never, never>>;

/** Counts are files; `host`: with its port; `ms` and `seconds`: how long it took. */
export type LogEvents = {
  readonly opened: { readonly version: string; readonly node: string; readonly platform: string };
  readonly closed: Nothing;
  readonly 'data-directory.closed': { readonly entries: number };
  readonly 'data-directory.without-modes': Nothing;
  /** A message that people see and no action of theirs has caused. */
  readonly notice: { readonly error: unknown };
  /** An error that no caller waits for. */
  readonly background: { readonly error: unknown };
  readonly bug: { readonly error: unknown };
  /** A call of the window or the command line was refused. Outages are told by `reach`. */
  readonly 'call.failed': { readonly call: string; readonly error: unknown };
  readonly session: { readonly session: SessionStatus['state']; readonly code?: ErrorCode | undefined };
  readonly reach: {
    readonly side: Side;
    readonly state: Reach['state'];
    readonly host?: string;
    readonly code?: ErrorCode;
  };
  /** How a host is reached from now on: `by` names its proxies, `source` what decided. */
  readonly route: { readonly origin: string; readonly by: readonly string[]; readonly source: string };
  readonly doctor: {
    readonly ok: boolean;
    readonly wrong: readonly {
      readonly check: string;
      readonly host?: string | undefined;
      readonly code?: ErrorCode | undefined;
    }[];
  };
  /** What is known of newer versions of the app. */
  readonly update: {
    readonly state: UpdateStatus['state'];
    readonly version?: string | undefined;
    readonly code?: ErrorCode | undefined;
  };
  readonly 'upload.started': OfBatch;
  /** It waits for a host, and why. */
  readonly 'upload.waits': OfBatch & { readonly code: ErrorCode; readonly details: ErrorData['details'] };
  readonly 'upload.continues': OfBatch & { readonly waitedSeconds: number };
  readonly 'upload.paused': OfBatch & { readonly code?: ErrorCode | undefined };
  /** `reasons`: how many files failed for each. */
  readonly 'upload.ended': OfBatch & {
    readonly state: BatchState;
    readonly files: number;
    readonly uploaded: number;
    readonly skipped: number;
    readonly failed: number;
    readonly cancelled: number;
    /** Counts that most uploads do not have, as in `Batch`. */
    readonly removed?: number | undefined;
    readonly resent?: number | undefined;
    readonly notReplaced?: number | undefined;
    readonly bytes: number;
    readonly seconds: number;
    readonly reasons: Readonly<Record<string, number>>;
  };
  /** A file was settled, with the number of attempts. */
  readonly 'upload.file': {
    readonly batch: string;
    readonly state: ListedState;
    readonly attempts: number;
    readonly sizeBytes: number;
    readonly code?: ErrorCode | undefined;
  };
};

export const LEVELS: Readonly<Record<keyof LogEvents, LogLevel>> = {
  opened: 'info',
  closed: 'info',
  'data-directory.closed': 'info',
  'data-directory.without-modes': 'info',
  notice: 'warn',
  background: 'error',
  bug: 'error',
  'call.failed': 'warn',
  session: 'info',
  reach: 'info',
  route: 'info',
  doctor: 'info',
  update: 'info',
  'upload.started': 'info',
  'upload.waits': 'warn',
  'upload.continues': 'info',
  'upload.paused': 'info',
  'upload.ended': 'info',
  'upload.file': 'debug',
};
