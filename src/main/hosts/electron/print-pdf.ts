/** Prints a page that main has written, in a view of its own that is never shown. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { session, WebContentsView } from 'electron';
import { DeskError } from '../../../contract/errors.ts';
import type { Host } from '../host.ts';

const address = 'receipt://page/';
/** Only the page's own styles. */
const contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'";

const PAGE_INCHES = { top: 0.6, bottom: 0.7, left: 0.6, right: 0.6 };

/** As `Host.printPdf`. Errors: `data/unwritable` if the page cannot be printed. */
export const printPdf: NonNullable<Host['printPdf']> = async (page, { letter, footer }) => {
  // A session of its own, in memory: without the app's scheme, and with nothing to be reached but the page.
  const own = session.fromPartition(`receipt ${pathToFileURL(page)}`);
  own.protocol.handle('receipt', () => {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': contentSecurityPolicy };
    return new Response(Readable.toWeb(createReadStream(page)) as ReadableStream, { headers });
  });
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: url !== address }));
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
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
    own.protocol.unhandle('receipt');
  }
};

/** Headers and footers have no styles of their own, not even a size. */
const FOOTER = 'width: 100%; margin: 0 0.6in; font: 8pt sans-serif; color: #555; text-align: end';
