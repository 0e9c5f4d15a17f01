/** Starts a server with published updates, and an app that requests them with the real parts of electron-updater. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createElectronUpdater } from '../../../src/main/hosts/electron/updates/electron-updater.ts';
import { type Answering, startTestServer, type TestServer } from '../../../src/main/net/testing/server.ts';
import type { Updater } from '../../../src/main/updates/updates.ts';
import { makeDirectory, writeTree } from './folders.ts';

export const INSTALLER = 'Inspection-Desk-2.0.0-win-x64.exe';

type Published = {
  readonly version?: string;
  readonly notes?: string;
  /** Responds to requests for the installer. Default: sends it. */
  readonly installer?: Answering;
  /** The response to requests for the description of the version. Default: the right description. */
  readonly description?: string | Answering;
};

type UpdateServer = TestServer & { readonly content: Buffer };

/** Starts a server with one version, in the channel `latest`. */
export const startUpdateServer = async (published: Published = {}): Promise<UpdateServer> => {
  const { version = '2.0.0', notes = 'Faster uploads.' } = published;
  const content = randomBytes(200_000);
  const sha512 = createHash('sha512').update(content).digest('base64');
  const described = `version: ${version}
files:
  - url: ${INSTALLER}
    sha512: ${sha512}
    size: ${content.length}
releaseNotes: ${JSON.stringify(notes)}
`;
  const send: Answering = (response) => void response.writeHead(200, { 'content-length': content.length }).end(content);
  const server = await startTestServer((response, request, index) => {
    const { pathname } = new URL(request.target, 'http://server');
    const { description = described } = published;
    if (/^\/latest[\w-]*\.yml$/.test(pathname))
      typeof description === 'string' ? response.end(description) : description(response, request, index);
    else if (pathname === `/${INSTALLER}`) (published.installer ?? send)(response, request, index);
    else response.writeHead(404).end();
  });
  onTestFinished(() => server.close());
  return Object.assign(server, { content });
};

export type UpdatedApp = Omit<Updater, 'quit'> & {
  /** The installers whose signatures were checked. */
  readonly looked: readonly string[];
  readonly downloads: string;
};

/**
 * Creates version 1.5.0 of the app, as installed by the installer for Windows. `isTrusted`: whether Windows trusts a
 * signature.
 */
export const updatedApp = (isTrusted: (path: string, version: string) => boolean = () => true): UpdatedApp => {
  const home = makeDirectory();
  writeTree(home, { 'app-update.yml': 'updaterCacheDirName: downloads\n' });
  const looked: string[] = [];
  const app = {
    version: '1.5.0',
    name: 'inspection-desk',
    isPackaged: true,
    appUpdateConfigPath: join(home, 'app-update.yml'),
    userDataPath: home,
    baseCachePath: home,
    whenReady: async () => {},
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  };
  const updater = createElectronUpdater({
    way: 'nsis',
    app,
    isTrusted: async (path, version) => {
      looked.push(path);
      return isTrusted(path, version);
    },
  });
  return { ...updater, looked, downloads: join(home, 'downloads') };
};
