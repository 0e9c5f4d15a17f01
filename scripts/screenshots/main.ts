/**
 * Retakes all screenshots of the user guides and the README from the app in Electron with sample data. `--language sv`
 * retakes those of one language. `--looks` retakes nothing, but saves all screens in `out` for review: in the usual
 * window, in a small and in a zoomed one, in dark colours, and in forced colours.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Language } from '../../src/contract/preferences.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { launchElectron } from '../../tests/e2e/support/electron-driver.ts';
import { pictureBrowsing, pictureFirstStart } from './browsing.ts';
import { createCamera } from './camera.ts';
import { pictureNewUpload, pictureOffline, pictureUploads } from './uploads.ts';

const { values } = parseArgs({
  options: { language: { type: 'string' }, looks: { type: 'boolean', default: false } },
});
const languages = values.language === undefined ? Language.options : [Language.parse(values.language)];
const scratch = await mkdtemp(join(tmpdir(), 'Inspections '));
const sandbox = await startSandbox();
try {
  await withApp('sample', {}, async (desk) => {
    const camera = await createCamera(desk.page, languages, values.looks);
    await pictureFirstStart(desk, camera);
    await pictureBrowsing(camera);
  });
  const { baseUrl, authUrl, clientId } = sandbox;
  const connection = {
    INSPECTION_DESK_BASE_URL: baseUrl,
    INSPECTION_DESK_AUTH_URL: authUrl,
    INSPECTION_DESK_CLIENT_ID: clientId,
  };
  await withApp('uploads', connection, async (desk) => {
    const camera = await createCamera(desk.page, languages, values.looks);
    await pictureUploads(desk, camera, { sandbox, folder: scratch });
    await pictureNewUpload(desk, camera, scratch);
    await pictureOffline(camera, sandbox);
  });
} finally {
  await sandbox.close();
  await rm(scratch, { recursive: true, maxRetries: 5 });
}

async function withApp(
  name: string,
  env: Readonly<Record<string, string>>,
  work: (desk: Awaited<ReturnType<typeof launchElectron>>) => Promise<void>,
): Promise<void> {
  const desk = await launchElectron({
    home: join(scratch, name),
    env: { ...env, INSPECTION_DESK_TOKEN_STORE: 'memory' },
  });
  try {
    await desk.page.getByRole('heading', { level: 1 }).waitFor();
    await work(desk);
  } finally {
    await desk.close();
  }
}
