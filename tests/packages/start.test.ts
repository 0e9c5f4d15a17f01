/** The packed program, whole: it starts and does its work with nothing beside it but what is packed. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Configuration } from 'electron-builder';
import { expect, test } from 'vitest';
import { findElectron } from '../../scripts/electron-binary.mjs';
import { onDisplay } from '../../scripts/on-display.mjs';
import { ofType, spawnCli } from '../integration/support/cli.ts';
import { makeDirectory, makeFolder, manyFiles } from '../integration/support/folders.ts';
import { useSandbox } from '../integration/support/sandbox.ts';
import { INSTALLER, startUpdateServer } from '../integration/support/update-server.ts';
import { openPage } from './support/open-page.ts';
import { pack } from './support/pack.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const electron = findElectron();
const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(root, 'node_modules/electron/dist');

const sandbox = useSandbox();

/** An Electron that is too old for `node:sqlite` gets the package that stands in for it, beside the archive. */
const addStandIn = (resources: string): void => {
  if (!electron?.isOld) return;
  const name = 'node_modules/@photostructure/sqlite';
  cpSync(join(root, name), join(resources, name), { recursive: true });
  cpSync(join(root, 'node_modules/node-gyp-build'), join(resources, 'node_modules/node-gyp-build'), {
    recursive: true,
  });
};

/** The packed program, and how to start it here. */
const packHere = async (config?: Configuration) => {
  const { program, resources } = await pack({ platform: 'linux', electronDist: dist, ...(config && { config }) });
  addStandIn(resources);
  const { PATH, DISPLAY, XAUTHORITY } = process.env;
  const [first = program, ...others] = onDisplay();
  return {
    command: [first, ...others, ...(first === program ? [] : [program])] as const,
    // As root there is no sandbox of Chromium.
    env: { ELECTRON_DISABLE_SANDBOX: '1', PATH: PATH ?? '', ...(DISPLAY && { DISPLAY, XAUTHORITY: XAUTHORITY ?? '' }) },
  };
};

const cannotRun = electron === undefined || process.platform !== 'linux';

test.skipIf(cannotRun)('uploads a folder', async () => {
  const options = { home: makeDirectory(), sandbox: sandbox.address, ...(await packHere()) };
  const folder = makeFolder(manyFiles(40));
  const upload = await spawnCli(['upload', folder, '--assignment', sandbox.newAssignment()], options);
  expect(upload.exitCode, upload.stderr).toBe(0);
  expect(ofType(upload, 'summary')).toMatchObject([{ files: 40, uploaded: 40, failed: 0 }]);
  expect(await sandbox.control.objects()).toHaveLength(40);
});

test.skipIf(cannotRun)('downloads a newer version of a release', async () => {
  const server = await startUpdateServer();
  const { command, env } = await packHere({
    extraMetadata: { release: { updates: server.url } },
    publish: { provider: 'generic', url: server.url },
  });
  const home = makeDirectory();
  const appImage = join(home, 'Inspection-Desk.AppImage');
  writeFileSync(appImage, 'version 0.1.0');
  const page = await openPage([...command, '--home', join(home, 'data')], {
    ...env,
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    APPIMAGE: appImage,
  });
  const answer = await page.evaluate(() => Reflect.get(window, 'inspectionDesk').calls.updates.check());
  expect(answer).toMatchObject({ ok: true });
  const downloaded = join(home, 'cache/inspection-desk-updater/pending', INSTALLER);
  await expect.poll(() => existsSync(downloaded)).toBe(true);
  expect(readFileSync(downloaded)).toEqual(server.content);
  expect(readFileSync(appImage, 'utf8')).toBe('version 0.1.0');
});
