// @ts-check
/**
 * The command line on the sources: `npm run cli -- COMMAND`. In JavaScript: for types, Node would load what strips
 * them, which takes longer than the rest of its start.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Sources are compiled once, not for each command. The cache is in the folder of the dependencies, because others must
// not be able to write to it: the app runs the code in the cache. Workers started later read the variable.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
// Static imports would be loaded before this.
const { runInProcess } = await import('./run-cli.ts');
const { sourceParts } = await import('../shared/source-parts.ts');
const { endByForce } = await import('../../data/end-by-force.ts');

process.exitCode = await runInProcess(process.argv.slice(2), sourceParts);
// Everything is closed and written by now. On a busy machine, Node may never exit on its own (nodejs/node#54918).
if (process.platform !== 'win32') {
  flushCompileCache();
  endByForce(process.exitCode);
}
