import { BrowserWindow, Notification } from 'electron';
import type { Host } from '../host.ts';

/**
 * Notifications of the system, unless the person is looking at the app anyway. A click brings the window to the front with
 * `show`, then opens what the notice is about.
 */
export const createNotifier = (show: () => Promise<void>): Host['notify'] => {
  // One that nobody holds is collected, and its click lost.
  const shown = new Set<Notification>();
  return ({ title, body }, onOpen) => {
    if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return;
    const notification = new Notification({ title, body });
    shown.add(notification);
    notification.once('close', () => shown.delete(notification));
    notification.once('click', () => {
      shown.delete(notification);
      void show().then(onOpen);
    });
    notification.show();
  };
};
