// @ts-check
/**
 * A plugin for the bundles of the main process and of the command line. When it is loaded, undici's module for cookies, which
 * the app does not use, asks for `globalThis.Headers`; Node then loads an HTTP client of its own, in each thread. Others, such
 * as the server of the sample service, do need these headers, so only that module is changed.
 *
 * @returns {import('vite').Plugin}
 */
export const leaveNodeClient = () => ({
  name: 'leave-node-client',
  transform: {
    filter: { id: /[\\/]undici[\\/]lib[\\/]web[\\/]cookies[\\/]index\.js$/ },
    handler: (code) => {
      const changed = code.replace('globalThis.Headers', 'undefined');
      if (changed === code)
        throw new Error("undici's cookies no longer ask for globalThis.Headers: remove this plugin");
      return { code: changed, map: null };
    },
  },
});
