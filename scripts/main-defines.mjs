// @ts-check
/**
 * What bundles of the main process and of the command line take for these expressions. When it is loaded, undici's module for
 * cookies, which the app does not use, asks for `globalThis.Headers`; Node then loads an HTTP client of its own, in each thread.
 */
export const mainDefines = { 'globalThis.Headers': 'undefined' };
