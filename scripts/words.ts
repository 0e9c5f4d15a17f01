/**
 * Writes `src/words/english.d.ts`, the keys and values of the English texts as types: `npm run words`; with `--check` it only
 * compares. TypeScript types imported JSON by its keys alone, so a text that lacks one of its values would compile. The file
 * is checked in because nothing else needs a step between the sources and a run, a test or an editor; a change of wording
 * leaves it as it is.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const at = (path: string): URL => new URL(`../src/words/${path}`, import.meta.url);
const file = at('english.d.ts');

/** The type of a text has its values only, as i18next reads them: "{{count, number}}". */
const typeOf = (words: unknown, indent = ''): string => {
  if (typeof words === 'string') {
    const values = words.match(/\{\{.*?\}\}/g);
    return values ? JSON.stringify(values.join('')) : 'string';
  }
  const entries = Object.entries(words as object).map(
    ([key, value]) => `${indent}  ${JSON.stringify(key)}: ${typeOf(value, `${indent}  `)};\n`,
  );
  return `{\n${entries.join('')}${indent}}`;
};

const area = (name: string): string => typeOf(JSON.parse(readFileSync(at(`en/${name}.json`), 'utf8')));

const types = `/** Written by \`npm run words\`: the keys of the English texts, with the values that each needs. */

export interface Errors ${area('errors')}
interface Window ${area('window')}
interface Uploads ${area('uploads')}
interface Host ${area('host')}
interface Cli ${area('cli')}

export interface WindowWords extends Window, Uploads, Errors {}
export interface HostWords extends Host, Cli, Errors {}
export interface DoctorWords ${area('doctor')}
`;

if (!process.argv.includes('--check')) writeFileSync(file, types);
else if (readFileSync(file, 'utf8') !== types) {
  process.stderr.write('src/words/english.d.ts differs from the English texts: npm run words\n');
  process.exitCode = 1;
}
