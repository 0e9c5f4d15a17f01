/**
 * Opens the file of its argument exclusively, as Office does, until the process ends. Reports this on standard output.
 */
import { openSync } from 'node:fs';

/** The flag UV_FS_O_EXLOCK of libuv, which shares the file with no other process. */
const EXCLUSIVE = 0x10000000;

openSync(process.argv[2] ?? '', EXCLUSIVE);
process.stdout.write('held\n');
setInterval(() => {}, 60_000);
