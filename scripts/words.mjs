// @ts-check
/**
 * Writes `src/words/english.d.ts`, the keys of the English texts with the values that each needs: `npm run words`. TypeScript
 * types imported JSON by its keys alone, so a call that lacks a value of its sentence would compile. Only the type check and
 * editors read the file, which Git ignores; `npm run setup` and `npm run check` write it. Plain Node 18, no dependencies.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** @param {string} path */
const at = (path) => new URL(`../src/words/${path}`, import.meta.url);

/** A text becomes its values as i18next reads them, such as `"{{count, number}}"`. @param {unknown} words @returns {string} */
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

// A build is repeated if a file is newer.
const file = at('english.d.ts');
if (!existsSync(file) || readFileSync(file, 'utf8') !== types) writeFileSync(file, types);
