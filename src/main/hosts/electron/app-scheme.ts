/** `app://desk/`: the origin of the app's page. Serves the built renderer and nothing else. */
import { protocol } from 'electron';
import { pageHeaders, serveRendererFile } from '../shared/renderer-files.ts';

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
