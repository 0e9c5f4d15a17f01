import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { findElectron, isWithoutSandbox } from './scripts/electron-binary.mjs';
import { serveLicences } from './scripts/serve-licences.mjs';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The Electron on this machine. If it is too old for the app, it is used only for tests. Its Node then has no
 * `node:sqlite`, so a package with the same interface replaces that module.
 */
const electron = findElectron();
const isOld = electron?.isOld ?? false;
const paths = isOld ? { 'node:sqlite': '@photostructure/sqlite' } : {};
/**
 * Sets the syntax of the bundles for an older Electron. By default, electron-vite derives the syntax from the version
 * of the electron package, which is newer.
 */
const target = (name: string) => (isOld ? { target: name } : {});

// `electron-vite dev` does not read ELECTRON_OVERRIDE_DIST_PATH.
if (electron) process.env.ELECTRON_EXEC_PATH ??= electron.path;
if (isWithoutSandbox()) process.env.NO_SANDBOX ??= '1';

/** The file that lists the packages in a bundle, with their licences. scripts/shipped-packages.mjs reads it. */
const license = { fileName: '.vite/license.json' };

export default defineConfig({
  main: {
    build: {
      ...target('node20.18'),
      // Packages in `dependencies` of package.json stay outside the bundle. Only native packages are listed there,
      // because finding several hundred modules on the disk takes long.
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
        // Licences stay in the code. Without other comments, the code is read faster.
        output: { paths, comments: { legal: true, annotation: false, jsdoc: false } },
      },
    },
  },
  preload: {
    build: {
      ...target('node20.18'),
      // A sandboxed preload script can require only `electron`, so everything else is bundled, as CommonJS.
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
    // The pictures of the user guide. For example, docs/images/en/overview.png is served and packed as en/overview.png.
    publicDir: at('docs/images'),
    plugins: [react(), serveLicences(new URL('out/renderer/licences.json', import.meta.url))],
    build: {
      ...target('chrome130'),
      minify: true,
      // The manifest says which chunk imports which. scripts/bundle-size.mjs reads it for the size of the first screen.
      manifest: true,
      license,
      // The page is read from the local disk, where a list of the chunks that each page needs takes longer than finding
      // them.
      chunkSizeWarningLimit: 2_000,
      modulePreload: false,
      rolldownOptions: {
        input: at('src/renderer/index.html'),
        // The modules that nearly every page imports are one chunk. Small chunks would compress worse, and each would
        // list its imports. With a lower minShareCount, the first screens would load code that they do not need.
        output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 40 }] } },
      },
    },
  },
});
