/** The permissions of pages, and the scheme of the app's own page. */
import { app, protocol, type Session, session, type WebContents } from 'electron';
import { pageHeaders, serveRendererFile } from '../shared/renderer-files.ts';

// Restrictions on every page of the app.

/**
 * Disables Chromium's own use of the network: downloads of dictionaries, components and lists, reports, and name
 * resolution by its own servers instead of the system's. Must run before Electron is ready.
 */
export const silenceChromium = (): void => {
  for (const name of [
    'disable-background-networking',
    'disable-component-update',
    'disable-domain-reliability',
    'no-pings',
  ])
    app.commandLine.appendSwitch(name);
  app.on('session-created', withoutDictionaries);
  void app.whenReady().then(() => {
    withoutDictionaries(session.defaultSession);
    app.configureHostResolver({ secureDnsMode: 'off' });
  });
};

/**
 * Neither the option of a window nor switching it off prevents that a dictionary of the system's language is
 * downloaded.
 */
const withoutDictionaries = (of: Session): void => {
  of.setSpellCheckerEnabled(false);
  of.setSpellCheckerLanguages([]);
  of.setSpellCheckerDictionaryDownloadURL('app://none/');
};

/** Keeps every page within `origin`, without new windows or webviews. */
export const confinePages = (origin: string): void => {
  app.on('web-contents-created', (_event, contents) => confine(contents, origin));
};

/** Denies `session`'s pages downloads, devices and all permissions except copying text at a user's request. */
export const denyRequests = (session: Session): void => {
  const isAllowed = (permission: string) => permission === 'clipboard-sanitized-write';
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isAllowed(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isAllowed(permission));
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
};

const confine = (contents: WebContents, origin: string): void => {
  // Without a proxy WebRTC would contact any server that a page names.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-frame-navigate', (event) => {
    // Only reloading the page itself is allowed, and nothing in frames.
    if (!event.isMainFrame || !event.url.startsWith(`${origin}/`)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
};

// `app://desk/`: the origin of the app's page. Serves the built renderer and nothing else.

const scheme = 'app';
const host = 'desk';

/** The origin of the page, as frames and requests name it. */
export const appOrigin = `${scheme}://${host}`;

/** Makes `app:` a scheme with an origin, as https has one. Must run before Electron is ready. */
export const declareAppScheme = (): void =>
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);

/** Serves the files of `rendererFolder` at `app://desk/`. */
export const serveAppScheme = (rendererFolder: string): void =>
  protocol.handle(scheme, (request) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.host !== host) {
      return new Response('refused', { status: 403, headers: pageHeaders });
    }
    return serveRendererFile(rendererFolder, url.pathname);
  });
