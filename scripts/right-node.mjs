// @ts-check
/**
 * Imported first by the scripts that need the project's Node: with an older one they would do nothing, or something else, for it
 * knows neither `import.meta.main` nor TypeScript. Runs the script again on the project's own Node. Plain Node 18, no dependencies.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Node 24.2 is the first with `import.meta.main`. */
const OLDEST = 24;

const node = fileURLToPath(
  new URL(`../node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`, import.meta.url),
);

if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  if (!existsSync(node)) {
    process.stderr.write(`This needs Node ${OLDEST}, and runs on ${process.version}: npm run setup installs it.\n`);
    process.exit(1);
  }
  const { status } = spawnSync(node, process.argv.slice(1), { stdio: 'inherit' });
  process.exit(status ?? 1);
}
