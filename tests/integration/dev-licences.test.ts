/** The licences page during development. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createServer } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { serveLicences } from '../../scripts/serve-licences.mjs';
import { makeDirectory } from './support/folders.ts';

test('shows the licences of the last build, and nothing before the first', async () => {
  const root = makeDirectory();
  const path = join(root, 'licences.json');
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { host: '127.0.0.1', port: 0, watch: null },
    plugins: [serveLicences(pathToFileURL(path))],
  });
  onTestFinished(() => server.close());
  await server.listen();
  const ask = () => fetch(new URL('/licences.json', server.resolvedUrls?.local[0]));
  expect((await ask()).status).toBe(404);
  writeFileSync(path, '[{"name":"zod"}]');
  expect(await (await ask()).json()).toEqual([{ name: 'zod' }]);
});
