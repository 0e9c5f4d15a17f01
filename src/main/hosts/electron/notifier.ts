import { BrowserWindow, Notification } from 'electron';
import type { Speech } from '../../../words/speech/speech.ts';
import type { Host } from '../host.ts';
import { uploadNotice } from './upload-notice.ts';

/**
 * Notifications of the system, unless the person is looking at the app anyway. A click brings the window to the front with
 * `show`, then opens what the notice is about.
 */
export const createNotifier = (show: () => Promise<void>, speech: () => Speech<'host'>): Host['notify'] => {
  // Kept, since a notification that is garbage-collected loses its click.
  const shown = new Set<Notification>();
  return (batches, onOpen) => {
    if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return;
    const notification = new Notification(uploadNotice(batches, speech()));
    shown.add(notification);
    notification.once('close', () => shown.delete(notification));
    notification.once('click', () => {
      shown.delete(notification);
      void show().then(onOpen);
    });
    notification.show();
  };
};
