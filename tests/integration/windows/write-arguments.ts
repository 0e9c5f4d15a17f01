/**
 * Replaces the installed program: writes its arguments to the file that the variable ARGUMENTS names, and ends with 5.
 */
import { writeFileSync } from 'node:fs';

writeFileSync(process.env.ARGUMENTS ?? '', JSON.stringify(process.argv.slice(2)));
process.exitCode = 5;
