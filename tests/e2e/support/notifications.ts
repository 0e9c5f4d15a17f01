/** Simulates the notifications of the system. */
import type { ElectronDriver } from './electron-driver.ts';

/** Records the notifications instead of showing them, because a test cannot see them. The window loses the focus. */
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

/** The texts of the notifications. */
export const notifications = ({ app }: ElectronDriver): Promise<readonly string[]> =>
  app.evaluate(() =>
    (globalThis as unknown as { notifications: Electron.Notification[] }).notifications.map(
      ({ title, body }) => `${title}: ${body}`,
    ),
  );

export const clickLast = ({ app }: ElectronDriver): Promise<void> =>
  app.evaluate(() => {
    (globalThis as unknown as { notifications: Electron.Notification[] }).notifications.at(-1)?.emit('click');
  });
