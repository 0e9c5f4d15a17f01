// @ts-check
/** The licences in `npm run dev`, whose page no build has made: those that the last build wrote. */
import { readFile } from 'node:fs/promises';

/**
 * A Vite plugin that answers `/licences.json` with `file`, and 404 before there was a build.
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
