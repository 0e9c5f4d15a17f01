/** The permissions of pages, and the scheme of the app's own page. */
import {
  app,
  protocol,
  type Session,
  session,
  type WebContents,
  type WebContentsWillFrameNavigateEventParams,
} from 'electron';
import { pageHeaders, serveRendererFile } from '../shared/renderer-files.ts';

// Restrictions on Chromium, and on every page of the app.

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
 * Prevents the download of a dictionary for the system's language. Chromium downloads it even if the spell checker is
 * off, and even for windows without one.
 */
const withoutDictionaries = (of: Session): void => {
  of.setSpellCheckerEnabled(false);
  of.setSpellCheckerLanguages([]);
  of.setSpellCheckerDictionaryDownloadURL('app://none/');
};

/** Restricts every page to the navigations of `mayNavigate`, without redirects, new windows or webviews. */
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

type Navigation = WebContentsWillFrameNavigateEventParams;

/**
 * The page may reload itself, and show PDFs in its frames, where Chromium loads its viewer. No frame may navigate
 * anywhere else.
 */
const mayNavigate = ({ url, isMainFrame, frame, initiator }: Navigation, origin: string): boolean => {
  const isAskedByPage = !initiator || initiator.parent === null;
  if (isMainFrame) return isAskedByPage && url.startsWith(`${origin}/`);
  const above = frame?.parent?.url ?? '';
  const isInViewer = above.startsWith(VIEWER);
  // The viewer shows the pages in a frame of its own, which it may load by either address.
  if (url.startsWith(VIEWER)) return isInViewer || above.startsWith(`${documentOrigin}/`);
  return (isAskedByPage || isInViewer) && url.startsWith(`${documentOrigin}/`);
};

const confine = (contents: WebContents, origin: string): void => {
  // Without a proxy WebRTC would contact any server that a page names.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-frame-navigate', (event) => {
    if (!mayNavigate(event, origin)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
};

// `app://desk/`: the origin of the app's page, with the built renderer. `app://document/`: that of PDFs under review,
// in a frame of the page.

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

type FileOfRow = { readonly rowId: number; readonly path: string };

/** The address of a PDF in a draft. The viewer shows it without its own buttons. */
export const documentAddress = ({ rowId, path }: FileOfRow): string =>
  `${documentOrigin}/${rowId}/${encodeURIComponent(path.toWellFormed())}#toolbar=0&navpanes=0`;

/** The headers of a PDF, or of the response that there is none. Only the app's page may embed them. */
const documentHeaders = (type: string): Record<string, string> => ({
  'Content-Type': type,
  'Content-Security-Policy': `frame-ancestors ${appOrigin}`,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});

/** Resolves to a PDF; undefined if there is none that may be read. */
type ReadDocument = (file: FileOfRow) => Promise<Uint8Array | undefined>;

const serveDocument = async (pathname: string, read: ReadDocument): Promise<Response> => {
  const [, rowId, path = ''] = pathname.split('/');
  const bytes = await read({ rowId: Number(rowId), path: decodeURIComponent(path) });
  return bytes === undefined
    ? new Response('not found', { status: 404, headers: documentHeaders('text/plain') })
    : new Response(new Uint8Array(bytes), { headers: documentHeaders('application/pdf') });
};

/** Serves the files of `rendererFolder` to the app's page, and what `readDocument` finds to its frames. */
export const serveAppScheme = (rendererFolder: string, readDocument: ReadDocument): void =>
  protocol.handle(scheme, (request) => {
    const url = new URL(request.url);
    if (request.method === 'GET' && url.host === host) return serveRendererFile(rendererFolder, url.pathname);
    if (request.method === 'GET' && url.host === 'document') return serveDocument(url.pathname, readDocument);
    return new Response('refused', { status: 403, headers: pageHeaders });
  });
