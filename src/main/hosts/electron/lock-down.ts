/** What no page in this app may do, whatever its content says. */
import { app, type Session, type WebContents } from 'electron';

/** Confines every page that will be made: it cannot leave `origin` nor open windows or webviews. */
export const confinePages = (origin: string): void => {
  app.on('web-contents-created', (_event, contents) => confine(contents, origin));
};

/** Refuses `session`'s pages downloads, devices and all permissions but one: to copy text when a person asks for it. */
export const denyRequests = (session: Session): void => {
  const isAllowed = (permission: string) => permission === 'clipboard-sanitized-write';
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isAllowed(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isAllowed(permission));
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
};

const confine = (contents: WebContents, origin: string): void => {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-frame-navigate', (event) => {
    // The page itself may be reloaded; nothing else is a place to go to, in a frame neither.
    if (!event.isMainFrame || !event.url.startsWith(`${origin}/`)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
};
