/** The app without windows: `inspection-desk COMMAND`. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Sources are compiled once, not at each command. In the folder of the dependencies, for a cache
// that others may write would run their code. The threads started later read the variable.
const cache = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));
process.env.NODE_COMPILE_CACHE ??= cache;
enableCompileCache(process.env.NODE_COMPILE_CACHE);
// What is imported statically is loaded before any of this.
const { runCli } = await import('./run-cli.ts');

const { stdout, stderr, env } = process;
const interrupt = new AbortController();
// Once: who asks a second time means it.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
// A reader that has seen enough (`| head`) is no error.
stdout.on('error', () => {});
process.exitCode = await runCli(process.argv.slice(2), { env, stdout, stderr, signal: interrupt.signal });
