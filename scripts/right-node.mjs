// @ts-check
/**
 * Imported first by the scripts that need the project's Node: with an older one they would do nothing, or something else, for it
 * knows neither `import.meta.main` nor TypeScript. Runs the script again on the project's own Node. Plain Node 18, no dependencies.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const node = fileURLToPath(
  new URL(`../node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`, import.meta.url),
);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// 24.2 is the first version 24 with `import.meta.main`.
if (major < 24 || (major === 24 && minor < 2)) {
  if (!existsSync(node)) {
    process.stderr.write(`This needs Node 24.2 or later, and runs on ${process.version}: npm run setup installs it.\n`);
    process.exit(1);
  }
  const { status } = spawnSync(node, process.argv.slice(1), { stdio: 'inherit' });
  process.exit(status ?? 1);
}
