// @ts-check
/**
 * `npm run words`: writes `src/words/english.d.ts`, the keys of the English texts with the values that each text needs.
 * TypeScript knows only the keys of imported JSON, so a call without a value that the text needs would compile. Only
 * the type check and editors read the file. Git ignores it; `npm run setup` and `npm run check` write it. This script
 * needs only Node 18, and no dependencies.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** @param {string} path */
const at = (path) => new URL(`../src/words/${path}`, import.meta.url);

/**
 * Returns the type of a text: its values as i18next reads them, such as `"{{count, number}}"`.
 * @param {unknown} words
 * @returns {string}
 */
const typeOf = (words) => {
  if (typeof words === 'string') return JSON.stringify(words.match(/\{\{.*?\}\}/g)?.join('')) ?? 'string';
  const entries = Object.entries(Object(words)).map(([key, value]) => `${JSON.stringify(key)}: ${typeOf(value)};\n`);
  return `{\n${entries.join('')}}`;
};

/** @param {readonly string[]} areas files of `en` */
const typeOfAreas = (...areas) =>
  typeOf(Object.assign({}, ...areas.map((area) => JSON.parse(readFileSync(at(`en/${area}.json`), 'utf8')))));

const types = `export interface SharedWords ${typeOfAreas('errors', 'doctor')}
export interface WindowWords extends SharedWords ${typeOfAreas('window', 'uploads')}
export interface HostWords extends SharedWords ${typeOfAreas('host', 'cli')}
`;

// The file is written only if it has changed, because a newer file would cause a new build.
const file = at('english.d.ts');
if (!existsSync(file) || readFileSync(file, 'utf8') !== types) writeFileSync(file, types);
