// @ts-check
/**
 * Runs the program again on the project's own Node if the Node that runs it is too old. Scripts that need the project's
 * Node import this module first: an older Node lacks `import.meta.main`, and some lack TypeScript, so the script would
 * silently do nothing, or fail. This module has no dependencies, and Node 18 can run it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const node = fileURLToPath(
  new URL(`../node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`, import.meta.url),
);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// The scripts use `import.meta.main`, which Node has from version 24.2 on.
if (major < 24 || (major === 24 && minor < 2)) {
  if (!existsSync(node)) {
    process.stderr.write(`This needs Node 24.2 or later, and runs on ${process.version}: npm run setup installs it.\n`);
    process.exit(1);
  }
  const { status } = spawnSync(node, process.argv.slice(1), { stdio: 'inherit' });
  process.exit(status ?? 1);
}
