/** The preview's HTTP side: the page, the calls of the contract, the events, the folders a browser hands over. */
import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { callsByName } from '../../../contract/calls.ts';
import { DeskError, type Envelope, toErrorData } from '../../../contract/errors.ts';
import type { Desk } from '../../core/desk.ts';
import { createDispatcher, toEnvelope } from '../../core/handlers/dispatch-call.ts';
import { pageHeaders, serveRendererFile } from '../shared/renderer-files.ts';
import type { Downloads } from './downloads.ts';
import type { EventChannel } from './event-channel.ts';
import type { SessionGate } from './session-gate.ts';
import type { Staging } from './staging.ts';

/** A table of 200,000 rows, the largest input there is, takes less. */
const MAX_INPUT_BYTES = 256 * 1024 ** 2;

const Body = z.object({ input: z.unknown().optional() });

const notRead: Envelope<never> = {
  ok: false,
  error: toErrorData(new DeskError('input/invalid', 'the input is not JSON, or too large')),
};

const bridgeScript = new URL('./browser-bridge.js', import.meta.url);

/** Where the page downloads what was saved: an id follows. */
export const downloadPath = '/desk/downloads/';

/** The app over `desk`, with the built renderer in `rendererFolder`. `onBug` gets every unexpected error. */
export const createPreviewApp = (parts: {
  readonly desk: Desk;
  readonly gate: SessionGate;
  readonly events: EventChannel;
  readonly staging: Staging;
  readonly downloads: Downloads;
  readonly rendererFolder: string;
  readonly onBug: (error: unknown) => void;
}): Hono => {
  const { desk, gate, events, staging, downloads, rendererFolder, onBug } = parts;
  const dispatch = createDispatcher(desk.handlers, onBug);

  return (
    new Hono()
      .use(async (c, next) => {
        await next();
        for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value);
      })
      .use(gate.door)
      .use('/desk/*', gate.guard)
      .post('/desk/call/:name', bodyLimit({ maxSize: MAX_INPUT_BYTES, onError: (c) => c.json(notRead) }), async (c) => {
        const body = await c.req.json().then(Body.safeParse, () => undefined);
        return c.json(body?.success ? await dispatch(c.req.param('name'), body.data.input) : notRead);
      })
      .get('/desk/events', events.connect)
      .post('/desk/staging', async (c) => c.json(await toEnvelope(staging.open, onBug)))
      .post('/desk/staging/:id/files', async (c) => {
        const add = () => staging.add(c.req.param('id'), c.req.query('path') ?? '', c.req.raw.body);
        return c.json(await toEnvelope(add, onBug));
      })
      .post('/desk/staging/:id/adopt', async (c) => {
        const adopt = async () => (await staging.folders(c.req.param('id'))).map((root) => desk.adopt({ root }));
        return c.json(await toEnvelope(adopt, onBug));
      })
      .get(`${downloadPath}:id`, async (c) => {
        const file = await downloads.take(c.req.param('id'));
        if (file === undefined) return c.notFound();
        return c.body(file.bytes, 200, {
          'Content-Type': 'application/octet-stream',
          'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        });
      })
      .get('/preview-bridge.js', async (c) =>
        c.body(await readFile(bridgeScript), 200, { 'Content-Type': 'text/javascript' }),
      )
      .get('/', async (c) => c.html(withBridge(await (await serveRendererFile(rendererFolder, '/')).text())))
      // Browsers ask for one automatically.
      .get('/favicon.ico', (c) => c.body(null, 204))
      .get('/*', (c) => serveRendererFile(rendererFolder, c.req.path))
      .onError((error, c) => {
        onBug(error);
        return c.text('unexpected error', 500);
      })
  );
};

/** `html` with the bridge before the app's own scripts. */
const withBridge = (html: string): string => {
  const names = [...callsByName.keys()].join(' ');
  return html.replace('<head>', `<head><script src="/preview-bridge.js" data-calls="${names}"></script>`);
};
