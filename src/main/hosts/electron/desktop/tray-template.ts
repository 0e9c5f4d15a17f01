/** What the tray icon shows and offers. Pure, so that its words can be tested. */
import type { MenuItemConstructorOptions } from 'electron';
import type { Speech } from '../../../../words/speech/speech.ts';
import type { DesktopStatus } from './desktop-status.ts';

/** The icons in build/tray. */
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

/** The status in a few words. */
export const trayText = (status: DesktopStatus, { t }: Speech<'host'>): string => {
  const { active, scheduled, paused, stopped, waits, progress, watches } = status;
  if (waits) return t('tray.waiting', { count: active.length });
  if (progress !== undefined) {
    // Never 100 before everything is done.
    return t('tray.uploading', { count: active.length, percent: Math.floor(progress * 100) });
  }
  if (stopped.length > 0) return t('tray.stopped', { count: stopped.length });
  if (paused.length > 0) return t('tray.paused', { count: paused.length });
  if (scheduled.length > 0) return t('tray.scheduled', { count: scheduled.length });
  return t(watches ? 'tray.watching' : 'tray.idle');
};

/** The menu of the tray icon. */
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
