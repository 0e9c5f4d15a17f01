// @ts-check
/**
 * Measures how much JavaScript the window loads, compressed as for a download. A first screen needs the entry, the page
 * that is shown first, and everything that they import.
 */
import './right-node.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const renderer = fileURLToPath(new URL('../out/renderer/', import.meta.url));

/** The maximum sizes in thousands of bytes. */
const budget = { firstScreen: 300, total: 555 };

/** The pages that the window usually shows first, by their module in the manifest. */
const firstScreens = {
  welcome: 'features/connection/welcome.tsx',
  'sign-in': 'features/sign-in/sign-in-page.tsx',
  overview: 'features/overview/overview-page.tsx',
  protocols: 'features/protocols/protocols-page.tsx',
};

/** The modules with the words of each language, by the end of their names. The window loads those of one language. */
const languages = readdirSync(new URL('../src/words/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `words/${name}/window.ts`);

/** Modules in languages other than English, which a window in English never loads. */
const inOtherLanguages = /words\/(?!en\/)\w+\/|docs\/user-guide\.\w+\.md/;

/** @typedef {Readonly<Record<string, { readonly file: string, readonly imports?: readonly string[] }>>} Manifest */

/** @param {string} file @returns {number} thousands of bytes */
const sizeOf = (file) => gzipSync(readFileSync(join(renderer, file)), { level: 9 }).length / 1000;

/** @param {Manifest} manifest @param {string} key */
const fileOf = (manifest, key) => manifest[key]?.file ?? '';

/**
 * Returns the file of the module `key` and those of everything that it imports.
 * @param {Manifest} manifest
 * @param {string} key
 * @param {Set<string>} files
 */
const filesOf = (manifest, key, files = new Set()) => {
  const chunk = manifest[key];
  if (chunk === undefined) throw new Error(`the build has no module ${key}`);
  if (files.has(chunk.file)) return files;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) filesOf(manifest, imported, files);
  return files;
};

/** @param {Iterable<string>} files */
const sum = (files) => [...files].reduce((total, file) => total + sizeOf(file), 0);

/**
 * Prints the size of the built window.
 * @returns {boolean} whether the size is within the budget
 */
export const checkBundleSize = () => {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(renderer, '.vite', 'manifest.json'), 'utf8'));
  const entry = filesOf(manifest, 'index.html');
  const keys = Object.keys(manifest);
  const words = languages.map((end) => filesOf(manifest, keys.find((key) => key.endsWith(end)) ?? end));
  const isLoadedAnyway = keys.some(
    (key) => languages.some((end) => key.endsWith(end)) && entry.has(fileOf(manifest, key)),
  );
  const largest = words.toSorted((a, b) => sum(b) - sum(a))[0] ?? [];
  const others = new Set(keys.filter((key) => inOtherLanguages.test(key)).map((key) => fileOf(manifest, key)));
  const all = readdirSync(join(renderer, 'assets'))
    .map((file) => `assets/${file}`)
    .filter((file) => file.endsWith('.js') && !others.has(file));
  const rows = [
    ...Object.entries(firstScreens).map(([name, key]) => ({
      name: `first screen, ${name}`,
      size: sum(filesOf(manifest, key, new Set([...entry, ...largest]))),
      most: budget.firstScreen,
    })),
    { name: 'whole window', size: sum(all), most: budget.total },
  ];
  process.stderr.write('JavaScript of the window, gzip:\n');
  for (const { name, size, most } of rows) {
    const verdict = size > most ? '  TOO LARGE' : '';
    process.stderr.write(`  ${name.padEnd(24)}${size.toFixed(1).padStart(7)} kB of ${most} kB${verdict}\n`);
  }
  if (isLoadedAnyway) process.stderr.write('  The window loads the words of every language.  TOO LARGE\n');
  return !isLoadedAnyway && rows.every(({ size, most }) => size <= most);
};

if (import.meta.main) process.exitCode = checkBundleSize() ? 0 : 1;
