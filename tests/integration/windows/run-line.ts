/** Runs the line of its argument by the command interpreter of Windows, and ends with its exit code. */
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('cmd.exe', ['/d', '/s', '/c', `"${process.argv[2]}"`], {
  windowsVerbatimArguments: true,
  stdio: 'ignore',
});
process.exitCode = status ?? 1;
