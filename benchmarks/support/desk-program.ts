/** The program of desk-process.ts. Its first message is its `DeskWork`, and it responds with `DeskMessage`s. */
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { isActive } from '../../src/contract/uploads.ts';
import { createLoopbackRedirect } from '../../src/main/auth/redirect.ts';
import { createDesk } from '../../src/main/core/desk.ts';
import { redirectWords } from '../../src/main/hosts/shared/host-options.ts';
import { sourceParts } from '../../src/main/hosts/shared/source-parts.ts';
import { openConfSettings } from '../../src/main/settings/conf-settings.ts';
import { createHostSpeech } from '../../src/words/speech.ts';
import type { DeskMessage, DeskWork } from './desk-process.ts';

const CLICK_INTERVAL_MS = 300;
const IDLE_CLICKS = 10;
/** Words that a user might search for. Each query gets another number, so that no result is cached. */
const QUERIES = ['street', 'road', 'lane', 'park', 'hill'];

// Ends the process when the benchmark ends, for whatever reason.
process.once('disconnect', () => process.exit());
const [work]: DeskWork[] = await once(process, 'message');
if (!work) throw new Error('there is no work');
const { sandbox, home, root, assignment, forMs, leaveRoom, clicks } = work;
const say = (message: DeskMessage): void => void process.send?.(message);

const speech = await createHostSpeech('en');
const desk = await createDesk(
  {
    ...sourceParts,
    home,
    version: '1.0.0',
    openSettings: openConfSettings,
    policy: {},
    connectionLayers: [sandbox],
    redirect: (redirectUri) => createLoopbackRedirect({ redirectUri, words: redirectWords(() => speech) }),
    openExternal: async (url) => void (await (await fetch(url)).text()),
    pickFolder: async () => undefined,
    notify: () => {},
    keepAwake: () => () => {},
  },
  { leaveRoom },
);
await desk.connected().session.signIn();

let asked = 0;
const click = async (): Promise<number> => {
  const beganMs = performance.now();
  asked += 1;
  await desk.handlers.protocols.list({ Query: `${QUERIES[asked % QUERIES.length]} ${asked}` });
  return performance.now() - beganMs;
};
/** Clicks until `over` is aborted, without waiting for the responses. */
const clickUntil = async (over: AbortSignal): Promise<readonly number[]> => {
  const answers: Promise<number>[] = [];
  while (clicks && !over.aborted) {
    answers.push(click());
    await setTimeout(CLICK_INTERVAL_MS, undefined, { signal: over }).catch(() => {});
  }
  return Promise.all(answers);
};

const idleClicksMs = await clickUntil(AbortSignal.timeout(IDLE_CLICKS * CLICK_INTERVAL_MS));
const { uploads } = desk.connected();
const { batchId } = await uploads.start({ root, assignmentId: assignment });
say({ type: 'uploading' });
const over = new AbortController();
const ended = uploads.ended(batchId).then(() => over.abort());
const limit = setTimeout(forMs, undefined, { signal: over.signal }).then(
  () => over.abort(),
  () => {},
);
const busyClicksMs = await clickUntil(over.signal);
await limit;
if (isActive(await uploads.get(batchId))) await uploads.cancel(batchId);
await ended;
say({ type: 'ended', idleClicksMs, busyClicksMs });
await desk.close();
process.exit();
