/** Restrictions on every page of the app. */
import { app, type Session, type WebContents } from 'electron';

/** Keeps every page within `origin`, without new windows or webviews. */
export const confinePages = (origin: string): void => {
  app.on('web-contents-created', (_event, contents) => confine(contents, origin));
};

/** Denies `session`'s pages downloads, devices and all permissions except copying text at a person's request. */
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
    // Only reloading the page itself is allowed, and nothing in frames.
    if (!event.isMainFrame || !event.url.startsWith(`${origin}/`)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
};
