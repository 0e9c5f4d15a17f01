/** Restricts what pages may do, and serves the app's page under its own scheme. */
import {
  app,
  protocol,
  type Session,
  session,
  type WebContents,
  type WebContentsWillFrameNavigateEventParams,
} from 'electron';
import { pageHeaders, serveRendererFile } from '../shared/renderer-files.ts';

/**
 * Disables what Chromium does in the network on its own: it would download dictionaries, components and lists, send
 * reports, and resolve names with its own servers instead of the system's. Must be called before Electron is ready.
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
 * Prevents the download of a dictionary for the system's language. Chromium downloads the dictionary even if the spell
 * checker is off, and even for windows without a spell checker.
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

/** Denies the pages of `session` downloads, devices and all permissions except copying text to the clipboard. */
export const denyRequests = (session: Session): void => {
  const isAllowed = (permission: string) => permission === 'clipboard-sanitized-write';
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isAllowed(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isAllowed(permission));
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
};

type Navigation = WebContentsWillFrameNavigateEventParams;

/**
 * Whether a navigation is allowed. The page may go to addresses of `origin`, and its frames to a PDF or to Chromium's
 * viewer.
 */
const mayNavigate = ({ url, isMainFrame, frame, initiator }: Navigation, origin: string): boolean => {
  const isAskedByPage = !initiator || initiator.parent === null;
  if (isMainFrame) return isAskedByPage && url.startsWith(`${origin}/`);
  const above = frame?.parent?.url ?? '';
  const isInViewer = above.startsWith(VIEWER);
  // Chromium's viewer has an inner frame for the PDF. This frame may load the viewer's address or the PDF's.
  if (url.startsWith(VIEWER)) return isInViewer || above.startsWith(`${documentOrigin}/`);
  return (isAskedByPage || isInViewer) && url.startsWith(`${documentOrigin}/`);
};

const confine = (contents: WebContents, origin: string): void => {
  // Without this policy, WebRTC would connect to any server that a page names, bypassing the proxy.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-frame-navigate', (event) => {
    if (!mayNavigate(event, origin)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
};

// `app://desk/` serves the built renderer. `app://document/` serves the PDFs under review, for frames of the page.

const scheme = 'app';
const host = 'desk';

export const appOrigin = `${scheme}://${host}`;

/** Gives `app:` URLs an origin, like https URLs. Must be called before Electron is ready. */
export const declareAppScheme = (): void =>
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);

const documentOrigin = `${scheme}://document`;
/** The address of Chromium's PDF viewer, which is an extension with this id. */
const VIEWER = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/';

type FileOfRow = { readonly rowId: number; readonly path: string };

/** Returns the address of a PDF in a draft. The viewer shows the PDF without its own buttons. */
export const documentAddress = ({ rowId, path }: FileOfRow): string =>
  `${documentOrigin}/${rowId}/${encodeURIComponent(path.toWellFormed())}#toolbar=0&navpanes=0`;

/** The headers of a PDF, or of the response if the PDF does not exist. Only the app's page may embed the response. */
const documentHeaders = (type: string): Record<string, string> => ({
  'Content-Type': type,
  'Content-Security-Policy': `frame-ancestors ${appOrigin}`,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});

type ReadDocument = (file: FileOfRow) => Promise<Uint8Array | undefined>;

const serveDocument = async (pathname: string, read: ReadDocument): Promise<Response> => {
  const [, rowId, path = ''] = pathname.split('/');
  const bytes = await read({ rowId: Number(rowId), path: decodeURIComponent(path) });
  return bytes === undefined
    ? new Response('not found', { status: 404, headers: documentHeaders('text/plain') })
    : new Response(new Uint8Array(bytes), { headers: documentHeaders('application/pdf') });
};

export const serveAppScheme = (rendererFolder: string, readDocument: ReadDocument): void =>
  protocol.handle(scheme, (request) => {
    const url = new URL(request.url);
    if (request.method === 'GET' && url.host === host) return serveRendererFile(rendererFolder, url.pathname);
    if (request.method === 'GET' && url.host === 'document') return serveDocument(url.pathname, readDocument);
    return new Response('refused', { status: 403, headers: pageHeaders });
  });
