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
    // Only reloading the page itself is allowed, and in its frames PDFs in Chromium's viewer.
    const isOwn = event.isMainFrame ? event.url.startsWith(`${origin}/`) : isOfDocument(event.url);
    if (!isOwn) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
};

// `app://desk/`: the origin of the app's page, with the built renderer. `app://document/`: that of PDFs under review, in a frame of the page.

const scheme = 'app';
const host = 'desk';

/** The origin of the page, as frames and requests name it. */
export const appOrigin = `${scheme}://${host}`;

/** Makes `app:` a scheme with an origin, as https has one. Must run before Electron is ready. */
export const declareAppScheme = (): void =>
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);

const documentOrigin = `${scheme}://document`;
/** Chromium's viewer is an extension with this id. */
const VIEWER = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/';

const isOfDocument = (url: string): boolean => url.startsWith(`${documentOrigin}/`) || url.startsWith(VIEWER);

type FileOfRow = { readonly rowId: number; readonly path: string };

/** The address of a PDF of a folder under review. The viewer shows it without its own buttons. */
export const documentAddress = ({ rowId, path }: FileOfRow): string =>
  `${documentOrigin}/${rowId}/${encodeURIComponent(path)}#toolbar=0&navpanes=0`;

/** No script runs in a PDF's origin, and no other page embeds it. */
const documentHeaders = {
  'Content-Type': 'application/pdf',
  'Content-Security-Policy': `frame-ancestors ${appOrigin}`,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

const serveDocument = async (
  pathname: string,
  read: (file: FileOfRow) => Promise<Uint8Array | undefined>,
): Promise<Response> => {
  const [, rowId = '', path = ''] = pathname.split('/');
  const bytes = await read({ rowId: Number(rowId), path: decodeURIComponent(path) }).catch(() => undefined);
  return bytes === undefined
    ? new Response('not found', { status: 404, headers: pageHeaders })
    : new Response(new Uint8Array(bytes), { headers: documentHeaders });
};

/** Serves the files of `rendererFolder` to the app's page, and what `readDocument` finds to its frames. */
export const serveAppScheme = (
  rendererFolder: string,
  readDocument: (file: FileOfRow) => Promise<Uint8Array | undefined>,
): void =>
  protocol.handle(scheme, (request) => {
    const url = new URL(request.url);
    if (request.method === 'GET' && url.host === host) return serveRendererFile(rendererFolder, url.pathname);
    if (request.method === 'GET' && url.host === 'document') return serveDocument(url.pathname, readDocument);
    return new Response('refused', { status: 403, headers: pageHeaders });
  });
