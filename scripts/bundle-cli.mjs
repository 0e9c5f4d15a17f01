// @ts-check
/**
 * Bundles the command line, for tests and for runtimes that take long to load its several hundred modules. The bundle
 * contains the program, its workers, the sandbox and the programs of tests, each at the path and under the name of its
 * source file.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The files that other files find by path, and those that tests start. */
const programs = [
  'src/main/hosts/headless/main.mjs',
  'src/main/uploads/engine/engine-worker.ts',
  'src/main/uploads/source/read-worker.ts',
  'src/main/core/drafts/draft-worker.ts',
  'src/main/uploads/find/find-worker.ts',
  'src/sandbox/main.ts',
  'tests/integration/support/cli-server.ts',
  'tests/integration/support/worker-without-backoff.ts',
  'tests/integration/windows/read-registry.ts',
  'tests/power-cut/session.ts',
];

/** Bundles the command line into a new folder, which is removed when this process ends. Resolves to the folder. */
export const bundleCli = async () => {
  // The folder must not be below node_modules, because Node loads no `.ts` files from there.
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
        // Chunks are as deep as the source files that refer to workers and to the sandbox by relative paths, so that
        // the paths stay right.
        output: { entryFileNames: '[name]', chunkFileNames: 'src/main/hosts/chunks/[name]-[hash].mjs' },
      },
    },
  });
  // Vite sets NODE_ENV for this process. Tests that the process starts would then get React's production build.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  writeFileSync(join(outDir, 'package.json'), '{ "type": "module" }');
  // The app loads the native file of kerberos from this folder, if there is one.
  mkdirSync(join(outDir, 'node_modules'));
  symlinkSync(join(root, 'node_modules/kerberos'), join(outDir, 'node_modules/kerberos'), 'junction');
  return outDir;
};
