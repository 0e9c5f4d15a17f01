/** The app without windows: `inspection-desk COMMAND`. */
import { runCli } from './run-cli.ts';

process.exitCode = await runCli(process.argv.slice(2));
