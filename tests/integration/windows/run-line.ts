/** Runs its argument, a command line, with cmd.exe, and ends with the same exit code. */
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('cmd.exe', ['/d', '/s', '/c', `"${process.argv[2]}"`], {
  windowsVerbatimArguments: true,
  stdio: 'ignore',
});
process.exitCode = status ?? 1;
