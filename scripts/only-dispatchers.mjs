// @ts-check
/**
 * A plugin for the bundles of the main process and of the command line: of undici they get what the app uses, which is half of
 * its code and half of the time it takes to load in each process and thread. Its index also loads another `fetch`, WebSocket, caches
 * and mocks, and one of these makes Node load an HTTP client of its own. A name that is missing here fails the build.
 *
 * @returns {import('vite').Plugin}
 */
export const onlyDispatchers = () => ({
  name: 'only-dispatchers',
  transform: {
    filter: { id: /[\\/]undici[\\/]index\.js$/ },
    handler: () => ({ code, map: null }),
  },
});

const code = `
import api from './lib/api/index.js';
import Dispatcher from './lib/dispatcher/dispatcher.js';
// As in undici’s index: a tunnel calls connect().
Object.assign(Dispatcher.prototype, api);
export { default as Agent } from './lib/dispatcher/agent.js';
export { default as Client } from './lib/dispatcher/client.js';
export { default as buildConnector } from './lib/core/connect.js';
export { default as errors } from './lib/core/errors.js';
`;
