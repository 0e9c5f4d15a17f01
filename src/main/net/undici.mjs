/**
 * The parts of undici that the app uses, half of its code: its index also loads another `fetch`, WebSocket, caches and mocks, and one of
 * these makes Node load an HTTP client of its own. Every process and thread that sends would spend a tenth of a second and 15 MB on that.
 */
import api from 'undici/lib/api/index.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

// As in undici's index: a tunnel calls `connect`.
Object.assign(Dispatcher.prototype, api);

export { default as buildConnector } from 'undici/lib/core/connect.js';
export { default as errors } from 'undici/lib/core/errors.js';
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as Client } from 'undici/lib/dispatcher/client.js';
