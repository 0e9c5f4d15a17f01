/** Runs the embedded sample service. A utility process does not exit on its own when its work is done. */
import { runSandbox } from '../../../sandbox/run.ts';

process.exit(await runSandbox(process.argv.slice(2)));
