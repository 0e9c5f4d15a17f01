/** The app's updates by electron-updater: its providers, its downloads and its installers, over the app's own routes. */
import { rm } from 'node:fs/promises';
import type { AppUpdater, BaseUpdater, NsisUpdater, UpdateInfo } from 'electron-updater';
import type { NewVersion } from '../../../../contract/app.ts';
import { DeskError, type ErrorCode } from '../../../../contract/errors.ts';
import { codeOf } from '../../../async/error-code.ts';
import type { Updater } from '../../../updates/updates.ts';
import type { UpdateWay } from './release.ts';
import { RouteExecutor } from './route-executor.ts';

/** What electron-updater has to know of the app. */
type UpdatedApp = NonNullable<ConstructorParameters<typeof NsisUpdater>[1]>;

type Parts = {
  readonly way: UpdateWay;
  readonly app: UpdatedApp;
  /**
   * Whether a downloaded installer is the publisher's, and of the version that was offered. Only Windows leaves that to the
   * app: macOS checks whose it is itself.
   */
  readonly isTrusted: (path: string, version: string) => Promise<boolean>;
};

/** The updater; its code is loaded when it is first needed. */
export const createElectronUpdater = (parts: Parts): Pick<Updater, 'check' | 'download' | 'install'> => {
  let opened: Promise<Opened> | undefined;
  let present: Opened | undefined;
  /** The version that the last check found. */
  let offered = '';
  const isTrusted = (path: string): Promise<boolean> => parts.isTrusted(path, offered);
  const open = async (): Promise<Opened> => {
    opened ??= openUpdater(parts, isTrusted);
    present = await opened;
    return present;
  };
  return {
    check: async ({ address, channel }, dispatcher) => {
      const { updater, executor } = await open();
      executor.use(dispatcher);
      updater.setFeedURL({ provider: 'generic', url: address, channel, useMultipleRangeRequest: false });
      const answer = await translating(() => updater.checkForUpdates());
      if (!answer?.isUpdateAvailable) return undefined;
      offered = answer.updateInfo.version;
      return newVersion(answer.updateInfo);
    },
    download: async (onPercent) => {
      const { updater } = await open();
      const onProgress = ({ percent }: { readonly percent: number }): void => onPercent(percent);
      updater.on('download-progress', onProgress);
      try {
        const files = await translating(() => updater.downloadUpdate());
        // Also what an earlier start downloaded, which electron-updater takes as it is.
        for (const file of files) if (parts.way === 'nsis') await requireTrusted(file, isTrusted);
      } finally {
        updater.off('download-progress', onProgress);
      }
    },
    install: (restart) => present?.install(restart),
  };
};

type IsTrusted = (path: string) => Promise<boolean>;

type Opened = {
  readonly updater: AppUpdater;
  readonly executor: RouteExecutor;
  readonly install: (restart: boolean) => void;
};

const openUpdater = async ({ way, app }: Parts, isTrusted: IsTrusted): Promise<Opened> => {
  const { AppImageUpdater, MacUpdater, NsisUpdater } = (await import('electron-updater')).default;
  const executor = new RouteExecutor();
  const prepare = <T extends AppUpdater>(updater: T): T => {
    updater.logger = null;
    updater.autoDownload = false;
    updater.allowDowngrade = false;
    updater.disableWebInstaller = true;
    // Without a listener an error would be thrown where nobody can catch it. The same error rejects the call.
    updater.on('error', () => {});
    return Object.assign(updater, { httpExecutor: executor });
  };
  if (way === 'mac') {
    const updater = prepare(new MacUpdater(undefined, app));
    // macOS takes over what was downloaded, and installs it when the app has ended. Only a restart is asked for.
    return { updater, executor, install: (restart) => restart && updater.quitAndInstall() };
  }
  const installing = (updater: BaseUpdater): Opened => {
    updater.autoInstallOnAppQuit = false;
    return { updater, executor, install: (restart) => void updater.install(true, restart) };
  };
  if (way === 'appimage') return installing(prepare(new AppImageUpdater(null, app)));
  const updater = prepare(new NsisUpdater(null, app));
  updater.verifyUpdateCodeSignature = async (_, path) =>
    (await isTrusted(path)) ? null : 'not this version of the publisher';
  return installing(updater);
};

const requireTrusted = async (file: string, isTrusted: IsTrusted): Promise<void> => {
  if (await isTrusted(file)) return;
  await rm(file, { force: true });
  throw new DeskError('update/untrusted', 'the installer is not this version, signed by the publisher', {
    retry: 'later',
  });
};

/** The notes of a release are text in the files that this app's releases have; others are left out. */
const newVersion = ({ version, releaseNotes }: UpdateInfo): NewVersion => ({
  version,
  ...(typeof releaseNotes === 'string' && { notes: releaseNotes }),
});

const codes: Readonly<Record<string, ErrorCode>> = {
  ERR_CHECKSUM_MISMATCH: 'update/damaged',
  ERR_UPDATER_INVALID_UPDATE_INFO: 'update/damaged',
  ERR_UPDATER_INVALID_VERSION: 'update/damaged',
  ERR_UPDATER_NO_CHECKSUM: 'update/damaged',
  ERR_UPDATER_NO_FILES_PROVIDED: 'update/damaged',
  ERR_UPDATER_INVALID_SIGNATURE: 'update/untrusted',
};

const translating = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (cause) {
    const code = codes[codeOf(cause) ?? ''];
    throw new DeskError(code ?? 'update/unreachable', 'no update', { retry: 'later', cause });
  }
};
