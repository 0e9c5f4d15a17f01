/** The packed program works with nothing but the packed files. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Configuration } from 'electron-builder';
import { expect, test } from 'vitest';
import { onDisplay } from '../../scripts/on-display.mjs';
import { ofType, spawnCli } from '../integration/support/cli.ts';
import { makeDirectory, makeFolder, manyFiles } from '../integration/support/folders.ts';
import { useSandbox } from '../integration/support/sandbox.ts';
import { INSTALLER, startUpdateServer } from '../integration/support/update-server.ts';
import { openPage } from './support/open-page.ts';
import { canRunPacked, packToRun } from './support/pack.ts';

const sandbox = useSandbox();

/** Packs the program. Resolves to the command that starts it on this machine. */
const packHere = async (config?: Configuration) => {
  const { program } = await packToRun(config && { config });
  const { PATH, DISPLAY, XAUTHORITY } = process.env;
  const [first = program, ...others] = onDisplay();
  return {
    program,
    command: [first, ...others, ...(first === program ? [] : [program])] as const,
    // Chromium's sandbox does not run as root.
    env: { ELECTRON_DISABLE_SANDBOX: '1', PATH: PATH ?? '', ...(DISPLAY && { DISPLAY, XAUTHORITY: XAUTHORITY ?? '' }) },
  };
};

test.runIf(canRunPacked)('uploads a folder', async () => {
  const options = { home: makeDirectory(), sandbox: sandbox.address, ...(await packHere()) };
  const folder = makeFolder(manyFiles(40));
  const upload = await spawnCli(['upload', folder, '--assignment', sandbox.newAssignment()], options);
  expect(upload.exitCode, upload.stderr).toBe(0);
  expect(ofType(upload, 'summary')).toMatchObject([{ files: 40, uploaded: 40, failed: 0 }]);
  expect(await sandbox.control.objects()).toHaveLength(40);
});

test.runIf(canRunPacked)('downloads a newer version of a release', async () => {
  const server = await startUpdateServer();
  const { program, command, env } = await packHere({
    extraMetadata: { release: { updates: server.url } },
    publish: { provider: 'generic', url: server.url },
  });
  const home = makeDirectory();
  const appImage = join(home, 'Inspection-Desk.AppImage');
  writeFileSync(appImage, 'version 0.1.0');
  const { page } = await openPage([...command, '--home', join(home, 'data')], {
    ...env,
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    APPIMAGE: appImage,
    APPDIR: dirname(program),
  });
  const answer = await page.evaluate(() => Reflect.get(window, 'inspectionDesk').calls.updates.check());
  expect(answer).toMatchObject({ ok: true });
  const downloaded = join(home, 'cache/inspection-desk-updater/pending', INSTALLER);
  await expect.poll(() => existsSync(downloaded)).toBe(true);
  expect(readFileSync(downloaded)).toEqual(server.content);
  expect(readFileSync(appImage, 'utf8')).toBe('version 0.1.0');
});
