/**
 * A desk in a separate process, as in the desktop's main process. It signs in, and makes the calls that it reads from
 * standard input (`[name, input]` in each line). For each call, it prints the outcome and the longest time in which
 * nothing else could run. measure-process.ts records its peak memory.
 */
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { z } from 'zod';
import { createLoopbackRedirect } from '../../../src/main/auth/redirect.ts';
import { createDesk } from '../../../src/main/core/desk.ts';
import { createDispatcher } from '../../../src/main/core/handlers/handlers.ts';
import { redirectWords } from '../../../src/main/hosts/shared/host-options.ts';
import { spawnSample } from '../../../src/main/hosts/shared/sample-service.ts';
import { openConfSettings } from '../../../src/main/settings/conf-settings.ts';
import { createHostSpeech } from '../../../src/words/speech.ts';

const Connection = z.object({ baseUrl: z.string(), authUrl: z.string(), clientId: z.string() });
const Call = z.tuple([z.string(), z.unknown()]);

const [home = '', connection = ''] = process.argv.slice(2);
const english = await createHostSpeech('en');
const source = (path: string): URL => new URL(`../../../src/main/${path}`, import.meta.url);
const desk = await createDesk({
  home,
  version: '1.2.3',
  openSettings: openConfSettings,
  policy: {},
  connectionLayers: [Connection.parse(JSON.parse(connection))],
  redirect: (redirectUri) => createLoopbackRedirect({ redirectUri, words: redirectWords(() => english) }),
  openExternal: async (url) => void (await (await fetch(url)).text()),
  pickFolder: async () => undefined,
  notify: () => {},
  keepAwake: () => () => {},
  uploadWorker: source('uploads/engine/engine-worker.ts'),
  readWorker: source('uploads/source/read-worker.ts'),
  draftWorker: source('core/drafts/draft-worker.ts'),
  searchWorker: source('uploads/find/find-worker.ts'),
  startSample: spawnSample,
});
await desk.connected().session.signIn();
const { dispatch } = createDispatcher(desk.handlers, () => {});

/**
 * Returns a function that ends the measurement, and returns the longest time between two turns of the event loop, in
 * ms.
 */
const watchTurns = (): (() => number) => {
  let longestMs = 0;
  let lastMs = performance.now();
  const turn = (): void => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  const timer = setInterval(turn, 1);
  return () => {
    clearInterval(timer);
    turn();
    return Math.round(longestMs);
  };
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, input] = Call.parse(JSON.parse(line));
  const longest = watchTurns();
  const envelope = await dispatch(name, input);
  // Electron also serializes a response on its way to the window.
  serialize(envelope);
  await setTimeout(5);
  const code = envelope.ok ? 'ok' : envelope.error.code;
  process.stdout.write(`${JSON.stringify({ name, code, longestBlockMs: longest() })}\n`);
}
await desk.close();
process.exit();
