/**
 * Keeps the app up to date: checks for a newer version after the start and then daily (hourly after a failure),
 * downloads it in the background, and installs it when the app quits. The `Updater` of the host does the work.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Dispatcher } from 'undici';
import type { NewVersion, UpdateStatus, UpdatesOff } from '../../contract/app.ts';
import { DeskError, toErrorData } from '../../contract/errors.ts';
import type { Updates as UpdateSettings } from '../../contract/preferences.ts';
import { steadyWallNow } from '../async/clock.ts';

/** How long after the start of the app the first check is made, so that the check does not slow down the start. */
const FIRST_CHECK_MS = 60_000;
const CHECK_EVERY_MS = 24 * 60 * 60_000;
const RETRY_FAILED_MS = 60 * 60_000;

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
   * Resolves to a newer version, or to undefined if there is none. `dispatcher` makes all requests, including those of
   * `download`. Errors: `update/unreachable`, `update/damaged`.
   */
  readonly check: (feed: Feed, dispatcher: Dispatcher) => Promise<NewVersion | undefined>;
  /**
   * Downloads the version that the last check found, and checks its hash and, on Windows and macOS, its signature.
   * `onPercent`: receives the progress. Errors: `update/unreachable`, `update/damaged`, `update/untrusted`,
   * `data/unwritable`.
   */
  readonly download: (onPercent: (percent: number) => void) => Promise<void>;
  /**
   * Installs the downloaded version. On Windows, removes an installer that was changed after the download instead. Must
   * be the last call. `restart`: whether the app then starts again.
   */
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

export type Updates = ReturnType<typeof createUpdates>;

/**
 * How often the app tests whether a check is due. A timer of a day would not count the time that the computer sleeps.
 */
const LOOK_EVERY_MS = 60_000;

export const createUpdates = (options: UpdatesOptions) => {
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
  const allowed = (): UpdateStatus => {
    const reason = reasonOff();
    return reason ? { state: 'off', reason } : { state: 'current' };
  };
  let status = allowed();
  let followed = { ...settings() };
  const isNow = (...states: readonly UpdateStatus['state'][]): boolean => states.includes(status.state);
  const set = (next: UpdateStatus): void => {
    status = next;
    onChange(next);
  };

  const check = async (): Promise<void> => {
    const address = settings().address ?? updater?.address;
    if (!updater || address === undefined || !isNow('current', 'failed') || isBusy) return;
    isBusy = true;
    set({ state: 'checking' });
    // The settings may change at any time. A check or a download that began before the change must not set the state.
    try {
      const found = await updater.check({ address, channel: settings().channel }, dispatcher);
      if (!isNow('checking')) return;
      if (!found) return set({ state: 'current', checkedAtMs: now() });
      set({ state: 'downloading', found, percent: 0 });
      await updater.download((percent) => {
        if (isNow('downloading')) set({ state: 'downloading', found, percent: Math.floor(percent) });
      });
      if (isNow('downloading')) set({ state: 'ready', found });
    } catch (error) {
      if (isNow('checking', 'downloading')) set({ state: 'failed', error: toErrorData(error), failedAtMs: now() });
    } finally {
      isBusy = false;
    }
    // If the settings changed meanwhile, the state was reset, and another check is due immediately.
    await look();
  };

  const look = async (): Promise<void> => {
    const due = dueAtMs(status, startedAtMs);
    if (due !== undefined && due <= now()) await check();
  };
  const timer = updater && setInterval(() => void look(), LOOK_EVERY_MS).unref();

  return {
    status: (): UpdateStatus => status,
    /**
     * To be called when settings may have changed. If the settings of updates have changed, a version that was found
     * before is no longer offered, and a check is due. On macOS, a version that was already downloaded is still
     * installed when the app quits.
     */
    follow: (): void => {
      if (isDeepStrictEqual(followed, settings())) return;
      followed = { ...settings() };
      set(allowed());
    },
    /** If a check can begin, looks for a newer version and downloads it. Never rejects: the status has the error. */
    check,
    /** Starts `check` without waiting for it. Throws `app/unsupported` if updates are off. */
    checkNow: (): void => {
      if (status.state === 'off') throw new DeskError('app/unsupported', 'updates are off');
      void check();
    },
    /**
     * Quits the app, to install the downloaded version and start again. Throws `update/busy` if an upload is in
     * progress, `update/missing` if no downloaded version is ready.
     */
    restart: (): void => {
      if (!updater || status.state !== 'ready') throw new DeskError('update/missing', 'there is no newer version');
      if (isUploading()) throw new DeskError('update/busy', 'an upload is in progress', { retry: 'later' });
      restarts = true;
      updater.quit();
    },
    /** To be called when the user cancelled quitting, so that the app does not restart when the user quits later. */
    onStay: (): void => {
      restarts = false;
    },
    /** Installs a downloaded version. To be called last, when the app has closed everything else. */
    onEnd: (): void => {
      if (updater && status.state === 'ready') updater.install(restarts);
    },
    close: (): void => clearInterval(timer),
  };
};
