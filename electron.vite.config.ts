import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { findElectron, isWithoutSandbox } from './scripts/electron-binary.mjs';
import { serveLicences } from './scripts/serve-licences.mjs';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** An Electron that is there for tests only: its Node has no `node:sqlite`, so a package with the same interface serves. */
const electron = findElectron();
const isOld = electron?.isOld ?? false;
const paths = isOld ? { 'node:sqlite': '@photostructure/sqlite' } : {};
/** electron-vite derives the targets from the electron package; an older one needs an older syntax. */
const target = (name: string) => (isOld ? { target: name } : {});

// `electron-vite dev` knows no ELECTRON_OVERRIDE_DIST_PATH.
if (electron) process.env.ELECTRON_EXEC_PATH ??= electron.path;
if (isWithoutSandbox()) process.env.NO_SANDBOX ??= '1';

/** What is in a bundle by others: scripts/shipped-packages.mjs reads it. */
const license = { fileName: '.vite/license.json' };

export default defineConfig({
  main: {
    build: {
      ...target('node20.18'),
      // Only `dependencies` of package.json stay outside, which is what is native: finding several hundred modules takes long.
      license,
      rolldownOptions: {
        input: {
          index: at('src/main/hosts/electron/main.ts'),
          sandbox: at('src/main/hosts/electron/sample-process.ts'),
          uploads: at('src/main/uploads/engine/engine-worker.ts'),
          draft: at('src/main/core/drafts/draft-worker.ts'),
          reading: at('src/main/uploads/source/read-worker.ts'),
          search: at('src/main/uploads/find/find-worker.ts'),
        },
        // Licences stay in the code; the rest only makes it longer to read.
        output: { paths, comments: { legal: true, annotation: false, jsdoc: false } },
      },
    },
  },
  preload: {
    build: {
      ...target('node20.18'),
      // A sandboxed preload can require `electron` only: everything else is bundled, as CommonJS.
      externalizeDeps: false,
      license,
      rolldownOptions: {
        input: at('src/preload/main.ts'),
        output: { format: 'cjs', entryFileNames: 'index.cjs' },
      },
    },
  },
  renderer: {
    root: at('src/renderer'),
    // The pictures of the user guide: en/overview.png is served and packed as a file of that path.
    publicDir: at('docs/images'),
    plugins: [react(), serveLicences(new URL('out/renderer/licences.json', import.meta.url))],
    build: {
      ...target('chrome130'),
      minify: true,
      // Which chunk imports which: the size of the first screen is counted by it.
      manifest: true,
      license,
      // The page is read from the disk it is installed on: a list of what each page needs would take longer than finding it.
      chunkSizeWarningLimit: 2_000,
      modulePreload: false,
      rolldownOptions: {
        input: at('src/renderer/index.html'),
        // What nearly every page imports is one chunk: many small ones compress worse, and each lists its imports. With fewer
        // sharing it, the first screens would load what they do not need.
        output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 40 }] } },
      },
    },
  },
});
