/** What is known of newer versions, and when to look for them again. Pure. */

import type { NewVersion, UpdateStatus, UpdatesOff } from '../../contract/app.ts';
import { toErrorData } from '../../contract/errors.ts';

export type UpdateEvent =
  /** What the build, the installer and the settings say; without a reason, updates are on. */
  | { readonly type: 'allowed'; readonly off?: UpdatesOff | undefined }
  | { readonly type: 'asked' }
  | { readonly type: 'answered'; readonly found?: NewVersion | undefined; readonly atMs: number }
  | { readonly type: 'progress'; readonly percent: number }
  | { readonly type: 'downloaded' }
  | { readonly type: 'failed'; readonly error: unknown; readonly atMs: number };

/** The first check: after the start has settled. */
export const FIRST_CHECK_MS = 60_000;
export const CHECK_EVERY_MS = 24 * 60 * 60_000;
export const RETRY_FAILED_MS = 60 * 60_000;

/** The status after `event`. An event that comes too late changes nothing: turned off meanwhile, or already downloaded. */
export const nextStatus = (status: UpdateStatus, event: UpdateEvent): UpdateStatus => {
  switch (event.type) {
    case 'allowed':
      if (event.off) return { state: 'off', reason: event.off };
      return status.state === 'off' ? { state: 'current' } : status;
    case 'asked':
      return canCheck(status) ? { state: 'checking' } : status;
    case 'answered':
      if (status.state !== 'checking') return status;
      return event.found
        ? { state: 'downloading', found: event.found, percent: 0 }
        : { state: 'current', checkedAtMs: event.atMs };
    case 'progress':
      return status.state === 'downloading' ? { ...status, percent: Math.floor(event.percent) } : status;
    case 'downloaded':
      return status.state === 'downloading' ? { state: 'ready', found: status.found } : status;
    case 'failed':
      return status.state === 'checking' || status.state === 'downloading'
        ? { state: 'failed', error: toErrorData(event.error), failedAtMs: event.atMs }
        : status;
  }
};

/** Whether a check can begin. A version that is ready is looked for again only after it was installed. */
export const canCheck = ({ state }: UpdateStatus): boolean => state === 'current' || state === 'failed';

/** When to look for a newer version, in ms since 1970; undefined: not at all. `startedAtMs`: when the app was started. */
export const dueAtMs = (status: UpdateStatus, startedAtMs: number): number | undefined => {
  switch (status.state) {
    case 'current':
      return status.checkedAtMs === undefined ? startedAtMs + FIRST_CHECK_MS : status.checkedAtMs + CHECK_EVERY_MS;
    case 'failed':
      return status.failedAtMs + RETRY_FAILED_MS;
    default:
      return undefined;
  }
};
