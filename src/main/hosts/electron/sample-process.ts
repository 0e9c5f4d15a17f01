/**
 * The entry of the utility process that runs the embedded sample service. Such a process does not exit when its work is
 * done.
 */
import { runSandbox } from '../../../sandbox/run.ts';

process.exit(await runSandbox(process.argv.slice(2)));
