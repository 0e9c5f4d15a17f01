/** What the button in the taskbar or the dock shows. */
import { join } from 'node:path';
import { app, BrowserWindow, nativeImage } from 'electron';
import type { Speech } from '../../../../words/speech/speech.ts';
import type { DesktopStatus } from './desktop-status.ts';
import { trayIcon, trayText } from './tray-template.ts';

/** Removes the progress. */
const NO_PROGRESS = -1;

/** Progress on the button of each window; the number of uploads in progress where the system has one. */
export const showInTaskbar = (status: DesktopStatus, speech: Speech<'host'>): void => {
  const { active, progress = NO_PROGRESS, waits } = status;
  const needsAttention = trayIcon(status) === 'attention';
  for (const window of BrowserWindow.getAllWindows()) {
    window.setProgressBar(progress, { mode: waits ? 'paused' : 'normal' });
    if (process.platform !== 'win32') continue;
    const overlay = join(app.getAppPath(), 'build', 'tray', 'overlay.png');
    window.setOverlayIcon(needsAttention ? nativeImage.createFromPath(overlay) : null, trayText(status, speech));
  }
  app.setBadgeCount(active.length);
};
