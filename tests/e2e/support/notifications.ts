/** The notifications of the system. */
import type { ElectronDriver } from './electron-driver.ts';

/** Plays the system's notifications, which a test cannot see: they are kept, and the person is elsewhere. */
export const playNotifications = ({ app }: ElectronDriver): Promise<void> =>
  app.evaluate(({ BrowserWindow, Notification }) => {
    const notifications: Electron.Notification[] = [];
    Object.assign(globalThis, { notifications });
    Notification.isSupported = () => true;
    Notification.prototype.show = function show(this: Electron.Notification) {
      notifications.push(this);
    };
    BrowserWindow.getFocusedWindow = () => null;
  });

/** What each of them said. */
export const notifications = ({ app }: ElectronDriver): Promise<readonly string[]> =>
  app.evaluate(() =>
    (globalThis as unknown as { notifications: Electron.Notification[] }).notifications.map(
      ({ title, body }) => `${title}: ${body}`,
    ),
  );

/** Clicks on the notification that came last. */
export const clickLast = ({ app }: ElectronDriver): Promise<void> =>
  app.evaluate(() => {
    (globalThis as unknown as { notifications: Electron.Notification[] }).notifications.at(-1)?.emit('click');
  });
