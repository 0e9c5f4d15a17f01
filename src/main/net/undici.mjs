/**
 * The parts of undici that the app uses. The index of undici also loads `fetch`, WebSocket, caches and mocks. Each
 * process and worker that sends requests would need a tenth of a second and 15 MB for these.
 */
import api from 'undici/lib/api/index.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

// Adds the methods of the API, as the index of undici does. `connect` is needed for tunnels.
Object.assign(Dispatcher.prototype, api);

export { default as buildConnector } from 'undici/lib/core/connect.js';
export { default as errors } from 'undici/lib/core/errors.js';
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as Client } from 'undici/lib/dispatcher/client.js';
