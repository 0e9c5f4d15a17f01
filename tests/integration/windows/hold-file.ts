/** Opens the file of its argument as Office does: nobody else may open it until this process ends. Says so on standard output. */
import { openSync } from 'node:fs';

/** libuv's UV_FS_O_EXLOCK: a share mode of nothing. */
const EXCLUSIVE = 0x10000000;

openSync(process.argv[2] ?? '', EXCLUSIVE);
process.stdout.write('held\n');
setInterval(() => {}, 60_000);
