// @ts-check
import { fileURLToPath } from 'node:url';

/**
 * Lets all processes and workers that are started from now on share Node's compile cache. Otherwise each of the several
 * hundred processes of a test run would strip the types of the sources again.
 */
export const shareCompileCache = () => {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/node-compile', import.meta.url));
};
