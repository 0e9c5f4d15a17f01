/** Derives the content of the tray, the taskbar, notifications and autostart, and the effect of closing the window. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { MenuItemConstructorOptions, Task } from 'electron';
import { type Reachability, uploadTrouble } from '../../../contract/connection.ts';
import {
  type Batch,
  batchName,
  commonFolderName,
  isActive,
  isBeingCancelled,
  isHeldBack,
  sumOfBatches,
  workDone,
} from '../../../contract/uploads.ts';
import type { WatchedFolder } from '../../../contract/watched-folders.ts';
import { wholePercent } from '../../../words/size.ts';
import type { Speech } from '../../../words/speech.ts';
import { appId, type StartTask } from '../shared/host-options.ts';

type Known = {
  readonly batches: readonly Batch[];
  readonly reachability: Reachability;
  readonly watchedFolders: readonly WatchedFolder[];
};

export type DesktopStatus = Readonly<ReturnType<typeof desktopStatus>>;

/** Returns the status of the desk, with the ids of its uploads by their activity. An upload can be in several lists. */
export const desktopStatus = ({ batches, reachability, watchedFolders }: Known) => {
  const uploadsOf = (chosen: readonly Batch[]): readonly string[] => [
    ...new Set(chosen.map(({ uploadId }) => uploadId)),
  ];
  const active = batches.filter(isActive);
  const paused = batches.filter((batch) => batch.state === 'paused' && !isBeingCancelled(batch));
  return {
    active: uploadsOf(active),
    scheduled: uploadsOf(paused.filter(isHeldBack)),
    paused: uploadsOf(paused.filter(({ reason }) => reason === undefined)),
    /** Uploads that are paused for a reason that the user usually has to resolve. */
    stopped: uploadsOf(paused.filter((batch) => batch.reason !== undefined && !isHeldBack(batch))),
    /** Whether the active uploads wait for a service or a storage that cannot be used now. */
    waits: active.length > 0 && uploadTrouble(reachability) !== undefined,
    /** The completed share of the active uploads (`workDone`); undefined if no upload is active. */
    progress: active.length === 0 ? undefined : workDone(active),
    watches: watchedFolders.some((folder) => !folder.paused),
  };
};

/**
 * What closing the window does. `close`: closes it, and ends the app on systems where an app ends with its window.
 * `background`: the app continues without a window. `minimise`: minimises it, because nothing else would show that the
 * app runs. `ask`: asks whether to quit.
 */
type Closing = 'close' | 'background' | 'minimise' | 'ask';

/** Decides what closing the window does. `isShown`: a tray or a dock shows that the app runs without a window. */
export const closingOf = (
  { active, scheduled, watches }: DesktopStatus,
  keepUploading: boolean,
  isShown: boolean,
): Closing => {
  const uploads = active.length + scheduled.length;
  if (uploads === 0 && !watches) return 'close';
  if (keepUploading) return isShown ? 'background' : 'minimise';
  return uploads > 0 ? 'ask' : 'close';
};

export type TrayIcon = 'idle' | 'uploading' | 'attention';

export type TrayActions = {
  readonly onOpen: () => void;
  readonly onPause: () => void;
  readonly onResume: () => void;
  readonly onQuit: () => void;
};

export const trayIcon = ({ active, stopped, waits }: DesktopStatus): TrayIcon => {
  if (stopped.length > 0 || waits) return 'attention';
  return active.length > 0 ? 'uploading' : 'idle';
};

export const trayText = (status: DesktopStatus, { t, locale }: Speech<'host'>): string => {
  const { active, scheduled, paused, stopped, waits, progress, watches } = status;
  if (waits) return t('tray.waiting', { count: active.length });
  if (progress !== undefined) {
    return t('tray.uploading', { count: active.length, percent: progress.toLocaleString(locale, wholePercent) });
  }
  if (stopped.length > 0) return t('tray.stopped', { count: stopped.length });
  if (paused.length > 0) return t('tray.paused', { count: paused.length });
  if (scheduled.length > 0) return t('tray.scheduled', { count: scheduled.length });
  return t(watches ? 'tray.watching' : 'tray.idle');
};

export const trayTemplate = (
  appName: string,
  status: DesktopStatus,
  { onOpen, onPause, onResume, onQuit }: TrayActions,
  speech: Speech<'host'>,
): readonly MenuItemConstructorOptions[] => {
  const { t } = speech;
  const app = { app: appName };
  return [
    { label: trayText(status, speech), enabled: false },
    { type: 'separator' },
    { id: 'open', label: t('tray.open', app), click: onOpen },
    ...(status.active.length > 0 ? [{ id: 'pause', label: t('tray.pause'), click: onPause }] : []),
    ...(status.paused.length > 0 ? [{ id: 'resume', label: t('tray.resume'), click: onResume }] : []),
    { type: 'separator' },
    { id: 'quit', label: t('menu.quit', app), click: onQuit },
  ];
};

export type Launch = {
  /** The path of the executable. The tasks have the icon of this file. */
  readonly program: string;
  /**
   * The arguments that precede that of the task: the folder of an unpackaged app, and the data directory if one
   * was given.
   */
  readonly args: readonly string[];
};

/**
 * Returns the tasks that are possible now. Each task starts the program, which passes the task to the running instance
 * if there is one.
 */
export const jumpListTasks = (
  { program, args }: Launch,
  { active, paused }: Pick<DesktopStatus, 'active' | 'paused'>,
  { t }: Speech<'host'>,
): readonly Task[] => {
  const task = (name: StartTask, title: string): Task => ({
    program,
    arguments: [...args, `--task=${name}`].map(quotedForWindows).join(' '),
    iconPath: program,
    iconIndex: 0,
    title,
    description: title,
  });
  return [
    task('new-upload', t('menu.newUpload')),
    ...(active.length > 0 ? [task('pause-uploads', t('tray.pause'))] : []),
    ...(paused.length > 0 ? [task('resume-uploads', t('tray.resume'))] : []),
  ];
};

/** Quotes an argument for CommandLineToArgvW, where a backslash escapes only before a quotation mark. */
const quotedForWindows = (argument: string): string =>
  /^[^\s"]+$/.test(argument) ? argument : `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

// A Linux desktop starts the app by its autostart entry (Desktop Application Autostart Specification).

export const hiddenOption = '--hidden';

/**
 * Writes the entry that runs `command` at sign-in or, if that is not `wanted`, removes it. An entry that the user has
 * turned off in the desktop's own list stays as it is. Throws the system's errors.
 */
export const setAutostart = (
  wanted: boolean,
  name: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): void => {
  const folder = join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'autostart');
  const path = join(folder, `${appId}.desktop`);
  if (!wanted) {
    rmSync(path, { force: true });
    return;
  }
  if (existsSync(path) && TURNED_OFF.test(readFileSync(path, 'utf8'))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, autostartEntry(name, command));
};

const TURNED_OFF = /^(?:Hidden=true|X-GNOME-Autostart-enabled=false)$/m;

const autostartEntry = (name: string, command: readonly string[]): string =>
  `${['[Desktop Entry]', 'Type=Application', `Name=${name}`, `Exec=${command.map(quotedInEntry).join(' ')} ${hiddenOption}`, 'Terminal=false'].join('\n')}\n`;

/**
 * Quotes `text` as an argument of `Exec`: puts a backslash before reserved characters, doubles percent signs, and then
 * doubles every backslash, because the value is also escaped as a string (Desktop Entry Specification, "The Exec key").
 */
const quotedInEntry = (text: string): string =>
  `"${text
    .replaceAll(/["`$\\]/g, '\\$&')
    .replaceAll('%', '%%')
    .replaceAll('\\', '\\\\')}"`;

type UploadNotice = { readonly title: string; readonly body: string };

/** The maximum number of folders that a notification names. The others are only counted. */
const NAMED_FOLDERS = 3;

/** Describes the outcome of one batch, or the totals of batches that ended or paused together. */
export const uploadNotice = (batches: readonly [Batch, ...Batch[]], { t, errorText }: Speech<'host'>): UploadNotice => {
  const [first] = batches;
  const targetName = ({ title, AssignmentId }: Batch): string => title ?? t('notice.assignment', { id: AssignmentId });
  const { files, uploaded, removed, skipped, nameTaken, failed, notReplaced } = sumOfBatches(batches);
  const common = commonFolderName(batches.map(({ root }) => root)) ?? t('notice.folders', { count: batches.length });
  const name = batches.length > 1 ? common : batchName(first);
  const names = batches.slice(0, NAMED_FOLDERS).map(batchName).join(', ');
  const unnamed = batches.length - NAMED_FOLDERS;
  const targets = new Set(batches.map(targetName));
  const target = targets.size === 1 ? targetName(first) : t('notice.assignments', { count: targets.size });
  const outcome = t('notice.outcome', { done: uploaded - removed + skipped - nameTaken, count: files, target });
  const reason = batches.find((batch) => batch.state === 'paused' && batch.reason)?.reason;
  return {
    title: t(batches.some(({ state }) => state === 'paused') ? 'notice.paused' : 'notice.finished', { name }),
    body: [
      batches.length > 1 && `${unnamed > 0 ? t('notice.more', { names, count: unnamed }) : names}.`,
      `${[
        outcome,
        nameTaken > 0 && t('notice.nameTaken', { count: nameTaken }),
        failed > 0 && t('notice.failed', { count: failed }),
        notReplaced > 0 && t('notice.notReplaced', { count: notReplaced }),
      ]
        .filter(Boolean)
        .join(', ')}.`,
      reason && errorText(reason).title,
    ]
      .filter(Boolean)
      .join(' ')
      // On Linux the body is markup, in which the name of a folder or an address could be a link.
      .replaceAll('<', '‹'),
  };
};
