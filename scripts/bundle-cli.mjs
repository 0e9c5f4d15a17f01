// @ts-check
/**
 * Bundles the command line for tests and for runtimes that take long to load its several hundred modules: the program, its
 * threads, the sample service and what tests start, each at the path and under the name it has in the sources.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Those that find each other by their paths, and what the tests start. */
const programs = [
  'src/main/hosts/headless/main.mjs',
  'src/main/uploads/engine/engine-worker.ts',
  'src/main/uploads/source/read-worker.ts',
  'src/main/core/drafts/draft-worker.ts',
  'src/main/uploads/find/find-worker.ts',
  'src/sandbox/main.ts',
  'tests/integration/support/cli-server.ts',
  'tests/integration/support/worker-without-backoff.ts',
];

/** Returns the folder of the bundle, which is removed when this process ends. */
export const bundleCli = async () => {
  // Node strips no types below node_modules.
  const outDir = mkdtempSync(join(tmpdir(), 'inspection-desk-cli-'));
  const { NODE_ENV } = process.env;
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['keytar'] },
    build: {
      ssr: true,
      outDir,
      target: 'node22',
      emptyOutDir: false,
      rolldownOptions: {
        input: Object.fromEntries(programs.map((path) => [path, join(root, path)])),
        // As deep as the modules that name the threads and the sample service by their paths.
        output: { entryFileNames: '[name]', chunkFileNames: 'src/main/hosts/chunks/[name]-[hash].mjs' },
      },
    },
  });
  // Vite sets it for this process, and tests that it starts would get React's build for production.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  writeFileSync(join(outDir, 'package.json'), '{ "type": "module" }');
  // A file of it is loaded where there is one.
  mkdirSync(join(outDir, 'node_modules'));
  symlinkSync(join(root, 'node_modules/kerberos'), join(outDir, 'node_modules/kerberos'), 'junction');
  return outDir;
};
