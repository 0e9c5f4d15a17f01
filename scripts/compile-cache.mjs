// @ts-check
import { fileURLToPath } from 'node:url';

/**
 * Has every process and thread that is started from here on share what Node compiled of the sources: their types are
 * stripped once and not at each of the several hundred starts of a test run.
 */
export const shareCompileCache = () => {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/node-compile', import.meta.url));
};
