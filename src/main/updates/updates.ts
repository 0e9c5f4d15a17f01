/**
 * Keeps the app up to date: checks for a newer version after the start and then daily (hourly after a failure),
 * downloads it in the background, and installs it when the app quits. The `Updater` of the host does the work.
 */

import type { Dispatcher } from 'undici';
import type { NewVersion, UpdateStatus, UpdatesOff } from '../../contract/app.ts';
import { DeskError, toErrorData } from '../../contract/errors.ts';
import type { Updates as UpdateSettings } from '../../contract/preferences.ts';
import { steadyWallNow } from '../async/clock.ts';

type UpdateEvent =
  /** `off`: why updates are off; absent if they are on. */
  | { readonly type: 'allowed'; readonly off?: UpdatesOff | undefined }
  | { readonly type: 'asked' }
  | { readonly type: 'responded'; readonly found?: NewVersion | undefined; readonly atMs: number }
  | { readonly type: 'progress'; readonly percent: number }
  | { readonly type: 'downloaded' }
  | { readonly type: 'failed'; readonly error: unknown; readonly atMs: number };

/** How long after the start of the app the first check is made, so that the check does not slow down the start. */
const FIRST_CHECK_MS = 60_000;
const CHECK_EVERY_MS = 24 * 60 * 60_000;
const RETRY_FAILED_MS = 60 * 60_000;

/**
 * Returns the status after `event`. An event that does not fit the status changes nothing, for example progress of a
 * download after updates were turned off.
 */
const nextStatus = (status: UpdateStatus, event: UpdateEvent): UpdateStatus => {
  switch (event.type) {
    case 'allowed':
      if (event.off) return { state: 'off', reason: event.off };
      return status.state === 'off' ? { state: 'current' } : status;
    case 'asked':
      return canCheck(status) ? { state: 'checking' } : status;
    case 'responded':
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

/**
 * Whether a check can begin: updates are on, no check or download is in progress, and no downloaded version waits to be
 * installed.
 */
const canCheck = ({ state }: UpdateStatus): boolean => state === 'current' || state === 'failed';

/**
 * Returns when the next check is due, in ms since 1970; undefined if no check can begin. `startedAtMs`: the start of
 * the app.
 */
const dueAtMs = (status: UpdateStatus, startedAtMs: number): number | undefined => {
  switch (status.state) {
    case 'current':
      return status.checkedAtMs === undefined ? startedAtMs + FIRST_CHECK_MS : status.checkedAtMs + CHECK_EVERY_MS;
    case 'failed':
      return status.failedAtMs + RETRY_FAILED_MS;
    default:
      return undefined;
  }
};

type Feed = { readonly address: string; readonly channel: 'latest' | 'beta' };

export type HostUpdater = { readonly off: UpdatesOff } | Updater;

/** Finds, downloads and installs new versions. The caller runs only one check or download at a time. */
export type Updater = {
  /** Where updates come from, unless the settings have another address. */
  readonly address?: string | undefined;
  /**
   * Resolves to a newer version; to undefined if there is none. `dispatcher` makes all requests, including those of
   * `download`. Errors: `update/unreachable`, `update/damaged`.
   */
  readonly check: (feed: Feed, dispatcher: Dispatcher) => Promise<NewVersion | undefined>;
  /**
   * Downloads the version that the last check found, and checks its hash and, on Windows and macOS, its signature.
   * `onPercent`: receives the progress. Errors: `update/unreachable`, `update/damaged`, `update/untrusted`.
   */
  readonly download: (onPercent: (percent: number) => void) => Promise<void>;
  /** Installs the downloaded version. Must be the last call. `restart`: whether the app then starts again. */
  readonly install: (restart: boolean) => void;
  /** Quits the app as if the user did: the user can still cancel it. */
  readonly quit: () => void;
};

type UpdatesOptions = {
  readonly updater: HostUpdater | undefined;
  readonly settings: () => UpdateSettings;
  readonly dispatcher: Dispatcher;
  readonly isUploading: () => boolean;
  readonly onChange: (status: UpdateStatus) => void;
  readonly now?: () => number;
};

export type Updates = {
  readonly status: () => UpdateStatus;
  /** Turns updates on or off as the settings say. To be called when they have changed. */
  readonly follow: () => void;
  /** If a check can begin, looks for a newer version and downloads it. Never rejects: the status has the error. */
  readonly check: () => Promise<void>;
  /** Starts `check` without waiting for it. Throws `app/unsupported` if updates are off. */
  readonly checkNow: () => void;
  /**
   * Quits the app, to install the downloaded version and start again. Throws `update/busy` if an upload is in progress,
   * `update/missing` if no downloaded version is ready.
   */
  readonly restart: () => void;
  /** To be called when the user cancelled quitting, so that the app does not restart when the user quits later. */
  readonly onStay: () => void;
  /** Installs a downloaded version. To be called last, when the app has closed everything else. */
  readonly onEnd: () => void;
  readonly close: () => void;
};

/**
 * How often the app tests whether a check is due. A timer of a day would not count the time that the computer sleeps.
 */
const LOOK_EVERY_MS = 60_000;

export const createUpdates = (options: UpdatesOptions): Updates => {
  const { settings, dispatcher, isUploading, onChange, now = steadyWallNow } = options;
  const { updater: given = { off: 'build' } } = options;
  const updater = 'off' in given ? undefined : given;
  const startedAtMs = now();
  let restarts = false;
  let isBusy = false;

  const reasonOff = (): UpdatesOff | undefined => {
    if ('off' in given) return given.off;
    if (settings().mode === 'off') return 'setting';
    return (settings().address ?? given.address) === undefined ? 'address' : undefined;
  };
  let status = nextStatus({ state: 'current' }, { type: 'allowed', off: reasonOff() });
  const apply = (event: UpdateEvent): void => {
    const before = status;
    status = nextStatus(before, event);
    if (status !== before) onChange(status);
  };

  const check = async (): Promise<void> => {
    const address = settings().address ?? updater?.address;
    if (!updater || address === undefined || !canCheck(status) || isBusy) return;
    isBusy = true;
    apply({ type: 'asked' });
    try {
      const found = await updater.check({ address, channel: settings().channel }, dispatcher);
      apply({ type: 'responded', found, atMs: now() });
      if (status.state !== 'downloading') return;
      await updater.download((percent) => apply({ type: 'progress', percent }));
      apply({ type: 'downloaded' });
    } catch (error) {
      apply({ type: 'failed', error, atMs: now() });
    } finally {
      isBusy = false;
    }
    // If updates were turned off and on again during the download, the next check is due at once. It finds the version
    // that is already downloaded.
    await look();
  };

  const look = async (): Promise<void> => {
    const due = dueAtMs(status, startedAtMs);
    if (due !== undefined && due <= now()) await check();
  };
  const timer = updater && setInterval(() => void look(), LOOK_EVERY_MS).unref();

  return {
    status: () => status,
    follow: () => {
      const off = reasonOff();
      if (status.state !== 'off' || status.reason !== off) apply({ type: 'allowed', off });
    },
    check,
    checkNow: () => {
      if (status.state === 'off') throw new DeskError('app/unsupported', 'updates are off');
      void check();
    },
    restart: () => {
      if (!updater || status.state !== 'ready') throw new DeskError('update/missing', 'there is no newer version');
      if (isUploading()) throw new DeskError('update/busy', 'an upload is in progress', { retry: 'later' });
      restarts = true;
      updater.quit();
    },
    onStay: () => {
      restarts = false;
    },
    onEnd: () => {
      if (updater && status.state === 'ready') updater.install(restarts);
    },
    close: () => clearInterval(timer),
  };
};
