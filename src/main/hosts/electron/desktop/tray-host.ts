import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const HOST_QUESTION = [
  ...['call', '--session', '--dest', 'org.kde.StatusNotifierWatcher', '--object-path', '/StatusNotifierWatcher'],
  ...['--method', 'org.freedesktop.DBus.Properties.Get'],
  ...['org.kde.StatusNotifierWatcher', 'IsStatusNotifierHostRegistered'],
];
const ANSWER_WITHIN_MS = 3_000;

/**
 * Whether the system shows tray icons. Windows and macOS always do. On Linux a part of the desktop has to have registered
 * for it; where that cannot be found out there is none, so that nobody loses the app behind an icon that is not shown.
 */
export const showsTrayIcons = async (platform: NodeJS.Platform, run = promisify(execFile)): Promise<boolean> => {
  if (platform !== 'linux') return true;
  try {
    const { stdout } = await run('gdbus', HOST_QUESTION, { timeout: ANSWER_WITHIN_MS });
    return stdout.includes('true');
  } catch {
    return false;
  }
};
