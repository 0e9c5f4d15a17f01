/** The life of the preview: a desk, an HTTP server on 127.0.0.1 over it, and a printed address. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import manifest from '../../../../package.json' with { type: 'json' };
import { toErrorData } from '../../../contract/errors.ts';
import { type Batch, hasEnded } from '../../../contract/uploads.ts';
import { createHostSpeech } from '../../../words/speech.ts';
import { wallNow } from '../../async/clock.ts';
import type { Keychain } from '../../auth/keychain.ts';
import { createKeytarKeychain } from '../../auth/keychain.ts';
import { createLoopbackRedirect } from '../../auth/redirect.ts';
import { createDesk, type Desk } from '../../core/desk.ts';
import type { Host } from '../../core/host.ts';
import { defaultHome, makeHome } from '../../data/data-directory.ts';
import { endByForce, REST_MS } from '../../data/end-by-force.ts';
import { comesToRest } from '../../data/files.ts';
import { portOf } from '../../net/urls.ts';
import { openConfSettings } from '../../settings/conf-settings.ts';
import { readPolicy } from '../../settings/policy/read-policy.ts';
import { environmentLayer } from '../../settings/resolve-connection.ts';
import { EXIT, exitCodeOf } from '../shared/exit-codes.ts';
import { type HostOptions, parseHostOptions, redirectWords } from '../shared/host-options.ts';
import { spawnSample, useSampleWhenUnset } from '../shared/sample-service.ts';
import { reportBug, watchOutput, writeLine } from '../shared/terminal.ts';
import {
  createDownloads,
  createEventChannel,
  createPreviewApp,
  createSessionGate,
  downloadPath,
} from './preview-app.ts';
import { cleanStaging, createStaging } from './staging.ts';

const rendererFolder = fileURLToPath(new URL('../../../../out/renderer', import.meta.url));

/** Serves the app on 127.0.0.1 until the process is told to stop, and prints the address to open. */
export const runPreview = async (args: readonly string[]): Promise<void> => {
  watchOutput();
  try {
    const options = parseHostOptions(args, process.env);
    const home = options.home ?? defaultHome();
    makeHome(home);
    const events = createEventChannel();
    const stagingFolder = join(home, 'preview-staging');
    const downloads = createDownloads(join(home, 'preview-downloads'));
    const page = {
      openExternal: events.openInPage,
      copyText: events.copyInPage,
      pickSavePath: downloads.place,
      handOver: async (path: string) => {
        const name = basename(path);
        await events.downloadInPage(`${downloadPath}${downloads.offer(path)}`, name);
        return name;
      },
    };
    const desk = await createDesk(await createPreviewHost(home, options, page, say), { hasWindow: true });
    const onBug = (error: unknown): void => {
      desk.log.write('bug', { error });
      reportBug(error);
    };
    events.follow(desk);
    if (options.sample) await useSampleWhenUnset(desk);

    const server = createServer();
    const origin = await listen(server, options.port ?? 0);
    const gate = createSessionGate(origin);
    await cleanStaging(stagingFolder, await foldersToSend(desk), wallNow());
    const staging = createStaging(stagingFolder);
    const app = createPreviewApp({ desk, gate, events, staging, downloads, rendererFolder, onBug });
    server.on('request', getRequestListener(app.fetch, { overrideGlobalObjects: false }));
    say(`Inspection Desk is at ${origin}/?secret=${gate.secret}`);
    stopOnSignal(server, desk);
  } catch (error) {
    failBecause(error);
  }
};

/** The folders of uploads that may continue, or be retried. */
const foldersToSend = async (desk: Desk): Promise<readonly string[]> => {
  const { batches } = await desk.handlers.app.snapshot(undefined);
  const isOver = (batch: Batch): boolean => hasEnded(batch) && batch.failed === 0;
  return batches.filter((batch) => !isOver(batch)).map(({ root }) => root);
};

const listen = async (server: Server, port: number): Promise<string> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server)}`;
};

const stopOnSignal = (server: Server, desk: Desk): void => {
  const stop = () => {
    server.close();
    server.closeAllConnections();
    void desk
      .close()
      .catch(reportBug)
      .then(async () => {
        if (desk.hangs() || !(await comesToRest(REST_MS))) endByForce(EXIT.interrupted);
      });
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
};

const failBecause = async (error: unknown): Promise<void> => {
  const data = toErrorData(error);
  if (data.code === 'app/bug') reportBug(error);
  const { title, todo } = (await createHostSpeech('en')).errorText(data);
  writeLine(process.stderr, `${title} ${todo} (${data.code})`);
  process.exitCode = exitCodeOf(data.code);
};

const say = (line: string): void => writeLine(process.stdout, line);

// The desk's host on Node with an ordinary browser.

/** The preview as a host whose data is in `home`. `page` is what only its page can do; `say` writes to the terminal. */
const createPreviewHost = async (
  home: string,
  options: HostOptions,
  page: Pick<Host, 'openExternal' | 'copyText' | 'pickSavePath' | 'handOver'>,
  say: (line: string) => void,
): Promise<Host> => {
  const keychain = options.tokenStore === 'keychain' ? await usableKeychain(say) : undefined;
  const speech = await createHostSpeech('en');
  return {
    home,
    version: manifest.version,
    ...(keychain === undefined ? {} : { keychain }),
    openSettings: openConfSettings,
    policy: await readPolicy(),
    environment: process.env,
    connectionLayers: [options.connection, environmentLayer(process.env)],
    // A browser page cannot be reached by the custom scheme.
    redirect: (uri) =>
      createLoopbackRedirect({
        redirectUri: uri?.startsWith('http:') ? uri : undefined,
        words: redirectWords(() => speech),
      }),
    ...page,
    // The page has a picker of its own and hands over files, not a path.
    pickFolder: () => Promise.resolve(undefined),
    notify: () => {},
    keepAwake: () => () => {},
    uploadWorker: new URL('../../uploads/engine/engine-worker.ts', import.meta.url),
    hashThread: new URL('../../uploads/source/hash-worker.ts', import.meta.url),
    readThread: new URL('../../uploads/source/read-worker.ts', import.meta.url),
    searchWorker: new URL('../../uploads/find/find-worker.ts', import.meta.url),
    draftWorker: new URL('../../core/drafts/draft-worker.ts', import.meta.url),
    startSample: spawnSample,
  };
};

/** The preview is for development: unlike the desktop it runs without a keychain. */
const usableKeychain = async (say: (line: string) => void): Promise<Keychain | undefined> => {
  const keychain = createKeytarKeychain();
  try {
    await keychain.get('is there one');
    return keychain;
  } catch {
    say('No keychain available: your sign-in ends with the preview.');
    return undefined;
  }
};
