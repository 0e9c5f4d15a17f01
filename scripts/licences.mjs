// @ts-check
/**
 * The notices of all that others made and the app ships: what Vite put into the window, the packages beside main,
 * Electron, and data in the sources. Written to `out/renderer/licences.json`, which the window shows, and
 * `out/THIRD-PARTY-NOTICES.txt`, which lies beside the installed program.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @typedef {{ readonly name: string, readonly version: string, readonly licence: string, readonly text: string }} Notice */

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The licence statement of a package that has no licence text. @param {any} manifest */
const ownWords = ({ license, author, repository, homepage }) =>
  [
    `Licensed under ${license}. The package has no licence text of its own.`,
    typeof author === 'string' ? author : author?.name,
    typeof repository === 'string' ? repository : (repository?.url ?? homepage),
  ]
    .filter(Boolean)
    .join('\n');

/** The licence of the installed package in `folder`, with the notices that some have beside it. @param {string} folder @returns {Notice} */
const noticeOf = (folder) => {
  const manifest = readJson(join(folder, 'package.json'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const text = texts.join('\n\n') || ownWords(manifest);
  return { name: manifest.name, version: manifest.version, licence: String(manifest.license), text };
};

/** The packages that are installed with the app, by their place in package-lock.json: no development ones. */
const shipped = () => {
  /** @type {{ readonly packages: Readonly<Record<string, { readonly dev?: boolean }>> }} */
  const { packages } = readJson(join(root, 'package-lock.json'));
  const paths = Object.entries(packages).flatMap(([path, { dev }]) => (path === '' || dev ? [] : [path]));
  // Some are for other systems only.
  return [...paths, 'node_modules/electron'].map((path) => join(root, path)).filter(existsSync);
};

/** What the bundler has put into the window. @returns {readonly Notice[]} */
const bundled = () => {
  /** @type {readonly { readonly name: string, readonly version: string, readonly identifier?: string, readonly text?: string }[]} */
  const found = readJson(join(root, 'out/renderer/.vite/license.json'));
  return found.map(({ name, version, identifier, text }) =>
    identifier && text
      ? { name, version, licence: identifier, text: text.trim() }
      : noticeOf(join(root, 'node_modules', name)),
  );
};

/** Data in the sources that comes from others. @returns {readonly Notice[]} */
const derived = () => [
  {
    name: '@faker-js/faker (names of places)',
    version: '10.6.0',
    licence: 'MIT',
    text: readFileSync(join(root, 'src/main/matching/NOTICE.md'), 'utf8').trim(),
  },
];

/** Writes both files. */
export const writeLicences = () => {
  const all = new Map(
    [...bundled(), ...shipped().map(noticeOf), ...derived()].map((one) => [`${one.name} ${one.version}`, one]),
  );
  const notices = [...all.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  writeFileSync(join(root, 'out/renderer/licences.json'), JSON.stringify(notices));
  const line = '-'.repeat(80);
  const texts = notices.map(
    ({ name, version, licence, text }) => `${line}\n${name} ${version} (${licence})\n\n${text}\n`,
  );
  const heading = 'Inspection Desk contains the work of others, under these licences.\n';
  writeFileSync(join(root, 'out/THIRD-PARTY-NOTICES.txt'), [heading, ...texts].join('\n'));
};

if (import.meta.main) writeLicences();
