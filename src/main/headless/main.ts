/** The app without windows: `inspection-desk COMMAND`. */
import { runCli } from './run-cli.ts';

const { stdout, stderr, env } = process;
const interrupt = new AbortController();
// Once: who asks a second time means it.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
// A reader that has seen enough (`| head`) is no error.
stdout.on('error', () => {});
process.exitCode = await runCli(process.argv.slice(2), { env, stdout, stderr, signal: interrupt.signal });
