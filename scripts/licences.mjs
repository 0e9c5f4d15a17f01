// @ts-check
/**
 * Writes the notices of the packages that the app ships: to `out/renderer/licences.json`, which the window shows, and
 * to `out/THIRD-PARTY-NOTICES.txt`, which is next to the installed program.
 */
import './right-node.mjs';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedPackages } from './shipped-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @typedef {{ readonly name: string, readonly version: string, readonly licence: string, readonly text: string }} Notice */

/** Returns a licence statement for a package that has no licence text. @param {any} manifest */
const ownWords = ({ license, author, repository, homepage }) =>
  [
    `Licensed under ${license}. The package has no licence text of its own.`,
    typeof author === 'string' ? author : author?.name,
    typeof repository === 'string' ? repository : (repository?.url ?? homepage),
  ]
    .filter(Boolean)
    .join('\n');

/**
 * Returns the licence of an installed package, with the other notices in its folder.
 *
 * @param {{ readonly folder: string }} package_
 * @returns {Notice}
 */
const noticeOf = ({ folder }) => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const text = texts.join('\n\n') || ownWords(manifest);
  return { name: manifest.name, version: manifest.version, licence: String(manifest.license), text };
};

export const writeLicences = () => {
  const notices = shippedPackages()
    .map(noticeOf)
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  writeFileSync(join(root, 'out/renderer/licences.json'), JSON.stringify(notices));
  const line = '-'.repeat(80);
  const texts = notices.map(
    ({ name, version, licence, text }) => `${line}\n${name} ${version} (${licence})\n\n${text}\n`,
  );
  const heading = 'Inspection Desk contains the work of others, under these licences.\n';
  writeFileSync(join(root, 'out/THIRD-PARTY-NOTICES.txt'), [heading, ...texts].join('\n'));
};

if (import.meta.main) writeLicences();
