// @ts-check
/**
 * Declares the page's scheme early, with the privileges of `declareAppScheme`. Electron waits for the app's main module
 * before it is ready. An older Electron for tests may be started by a stand-in that does not wait. This script
 * therefore declares the scheme when the module `electron` is first loaded.
 */
const Module = require('node:module');

const loader = /** @type {{ _load: (request: string, ...rest: readonly unknown[]) => any }} */ (
  /** @type {unknown} */ (Module)
);
const load = loader._load;

// Processes that the app starts do not need this script.
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
