/** Serves the built files of the renderer with their headers, for `app://desk` and for the preview. */

import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { attempt } from 'es-toolkit/util/attempt';

/**
 * Allows the app's own files, images in `data:` addresses, and PDFs in frames. The hash is that of an empty text. This
 * hash lets Griffel (Fluent's styling) add empty style elements and then insert rules. A style element with any text is
 * refused.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  // PDFs, in the desktop's window (hosts/electron/lock-down.ts).
  'frame-src app://document',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * Returns the file of `folder` for the URL path `pathname` (`/` is index.html) as a response. The status is 404 if the
 * file is missing, lies outside `folder` or has an unknown type.
 */
export const serveRendererFile = async (folder: string, pathname: string): Promise<Response> => {
  const path = filePath(folder, pathname === '/' ? '/index.html' : pathname);
  const type = path === undefined ? undefined : contentTypes[extname(path)];
  const body = path === undefined || type === undefined ? undefined : await readFile(path).catch(() => undefined);
  if (type === undefined || body === undefined) return new Response('not found', { status: 404, headers: pageHeaders });
  return new Response(new Uint8Array(body), {
    headers: { ...pageHeaders, 'Content-Type': type, 'Cache-Control': 'no-cache' },
  });
};

const filePath = (folder: string, pathname: string): string | undefined => {
  const path = join(folder, attempt(() => decodeURIComponent(pathname))[1] ?? '');
  return path.startsWith(folder + sep) && !path.includes('\0') ? path : undefined;
};
