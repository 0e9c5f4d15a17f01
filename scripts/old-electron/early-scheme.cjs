// @ts-check
/**
 * Electron waits for the app's main module before it is ready. An older one that is only there for tests may be
 * started by a stand-in that does not wait; the scheme of the page then has to be declared in the app's place, at the
 * moment Electron is first asked for. Says the same as `declareAppScheme`.
 */
const Module = require('node:module');

const loader = /** @type {{ _load: (request: string, ...rest: readonly unknown[]) => any }} */ (
  /** @type {unknown} */ (Module)
);
const load = loader._load;

// Processes that the app starts have no need of it.
delete process.env.NODE_OPTIONS;

loader._load = (request, ...rest) => {
  const loaded = load(request, ...rest);
  if (request === 'electron') {
    loader._load = load;
    const privileges = { standard: true, secure: true, supportFetchAPI: true };
    loaded.protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges }]);
    loaded.protocol.registerSchemesAsPrivileged = () => {};
  }
  return loaded;
};
