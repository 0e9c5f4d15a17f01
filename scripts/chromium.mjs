// @ts-check
/**
 * Finds a browser for the tests. Runs on plain Node 18 without dependencies, because `setup.mjs` uses it before a
 * dependency is installed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string | undefined} root @param {readonly string[]} paths */
const under = (root, paths) => (root ? paths.map((path) => join(root, path)) : []);

const windowsPaths = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];

/** @returns {readonly string[]} */
const candidates = () => {
  switch (process.platform) {
    case 'win32':
      return [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].flatMap((root) =>
        under(root, windowsPaths),
      );
    case 'darwin':
      return ['Google Chrome', 'Microsoft Edge', 'Chromium'].map(
        (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
      );
    default:
      return ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'].flatMap(
        (name) => ['/usr/bin', '/usr/local/bin', '/snap/bin'].map((folder) => join(folder, name)),
      );
  }
};

/** Returns the path of an installed Chrome, Edge or Chromium; undefined if there is none. */
export const findInstalledChromium = () => candidates().find((path) => existsSync(path));
