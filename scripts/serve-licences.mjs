// @ts-check
/** Serves the licences in `npm run dev`. Does not build them: the page shows the licences of the last build. */
import { readFile } from 'node:fs/promises';

/**
 * A Vite plugin that responds to `/licences.json` with `file`, or with 404 before the first build.
 * @param {URL} file @returns {import('vite').Plugin}
 */
export const serveLicences = (file) => ({
  name: 'serve-licences',
  apply: 'serve',
  configureServer: ({ middlewares }) => {
    middlewares.use('/licences.json', async (_, response) => {
      const notices = await readFile(file).catch(() => undefined);
      response.writeHead(notices ? 200 : 404, { 'Content-Type': 'application/json' }).end(notices ?? '[]');
    });
  },
});
