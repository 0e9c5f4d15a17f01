// @ts-check
/**
 * Runs the command line on the sources: `npm run cli -- COMMAND`. This file is JavaScript, because for a TypeScript
 * file Node would load its type stripper before the compile cache below is enabled.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Sources are compiled once, not for each command. The app runs the code in the cache, so other users must not be able
// to write to the cache: it is in the folder of the dependencies. Workers that start later read this variable.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
// Static imports would be loaded before the cache is enabled.
const { runInProcess } = await import('./run-cli.ts');
const { sourceParts } = await import('../shared/source-parts.ts');
const { endByForce } = await import('../../data/end-by-force.ts');

process.exitCode = await runInProcess(process.argv.slice(2), sourceParts);
// Everything is closed and written by now. On a busy machine, Node may never exit on its own (nodejs/node#54918).
if (process.platform !== 'win32') {
  flushCompileCache();
  endByForce(process.exitCode);
}
