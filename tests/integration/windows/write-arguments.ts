/** Stands for the installed program: writes its arguments to the file of the variable ARGUMENTS, and ends with 5. */
import { writeFileSync } from 'node:fs';

writeFileSync(process.env.ARGUMENTS ?? '', JSON.stringify(process.argv.slice(2)));
process.exitCode = 5;
