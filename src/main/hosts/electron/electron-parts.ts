/** Parts of Electron that the window and the commands share. */

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { app, BrowserWindow, session, utilityProcess, WebContentsView } from 'electron';
import { once } from 'es-toolkit/function/once';
import { DeskError } from '../../../contract/errors.ts';
import type { Host } from '../../core/host.ts';
import type { Policy } from '../../settings/policy/policy.ts';
import { parsePolicy } from '../../settings/policy/policy.ts';
import { readJson, readPolicy, readPolicyText } from '../../settings/policy/read-policy.ts';
import { createStartSample } from '../shared/sample-service.ts';

/** The absolute path of `path` in `out/`, regardless of where the bundler put the calling module. */
export const builtPath = (path: string): string => join(app.getAppPath(), 'out', path);

export const presentWindow = (): BrowserWindow | undefined =>
  BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];

/** Returns the parts of a host that are the same for the window and for commands. */
export const electronParts = () => ({
  uploadWorker: pathToFileURL(builtPath('main/uploads.js')),
  readWorker: pathToFileURL(builtPath('main/reading.js')),
  searchWorker: pathToFileURL(builtPath('main/search.js')),
  draftWorker: pathToFileURL(builtPath('main/draft.js')),
  startSample: forkSample,
  printPdf,
  resolveProxy: (url: string) => session.defaultSession.resolveProxy(url),
});

declare global {
  interface ImportMetaEnv {
    /** Set by `scripts/build.mjs --release`. */
    readonly MAIN_VITE_RELEASE?: string;
  }
  interface ImportMeta {
    readonly env: ImportMetaEnv;
  }
}

/**
 * Reads the policy of this machine. Tests name a policy file in a variable. A release does not read the variable,
 * because a user must not be able to replace the policy. Errors: `policy/…`.
 */
export const readDesktopPolicy = async (): Promise<Policy> => {
  const file = import.meta.env.MAIN_VITE_RELEASE ? undefined : process.env.INSPECTION_DESK_TEST_POLICY;
  return file === undefined ? readPolicy() : parsePolicy(readJson(file, (await readPolicyText(file)) ?? ''));
};

/** Starts the sample service, which ends with the app. To be called only after Electron is ready. */
const forkSample = createStartSample((flags) => {
  const child = utilityProcess.fork(builtPath('main/sandbox.js'), [...flags], {
    serviceName: 'Sample service',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const { stdout } = child;
  if (stdout === null) throw new Error('a piped standard output is there');
  return { stdout, ended, stop: () => void child.kill() };
});

/** Allows only the styles and the logo that the page itself contains. */
const contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const PAGE_INCHES = { top: 0.6, bottom: 0.7, left: 0.6, right: 0.6 };

/**
 * Opens a separate session in memory, without the app's scheme, for all pages that are printed: a session stays in
 * memory until the app ends. It can load only `pages`, the paths of files by their addresses.
 */
const openReceipts = once(() => {
  const own = session.fromPartition('receipts');
  const pages = new Map<string, string>();
  own.protocol.handle('receipt', ({ url }) => {
    const page = pages.get(url);
    if (page === undefined) return Response.error();
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': contentSecurityPolicy };
    return new Response(Readable.toWeb(createReadStream(page)) as ReadableStream, { headers });
  });
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !pages.has(url) }));
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  return { own, pages };
});

/** Errors: `data/unwritable` if the page cannot be printed. */
const printPdf: NonNullable<Host['printPdf']> = async (page, { letter, footer }) => {
  const { own, pages } = openReceipts();
  const address = `receipt://${randomUUID()}/`;
  pages.set(address, page);
  const { webContents } = new WebContentsView({
    webPreferences: { session: own, sandbox: true, contextIsolation: true, nodeIntegration: false, javascript: false },
  });
  try {
    await webContents.loadURL(address);
    return await webContents.printToPDF({
      pageSize: letter ? 'Letter' : 'A4',
      printBackground: true,
      margins: PAGE_INCHES,
      displayHeaderFooter: true,
      headerTemplate: '<span></span>',
      footerTemplate: `<div style="${FOOTER}">${footer('<span class="pageNumber"></span>', '<span class="totalPages"></span>')}</div>`,
    });
  } catch (cause) {
    throw new DeskError('data/unwritable', 'the page cannot be printed', { cause });
  } finally {
    webContents.close();
    pages.delete(address);
  }
};

/**
 * The style of the footer. It sets the font, because Chromium's templates of headers and footers do not inherit the
 * styles of the page.
 */
const FOOTER = 'width: 100%; margin: 0 0.6in; font: 8pt sans-serif; color: #555; text-align: end';
