/** Writes build/policy and the table of keys in docs/it-guide.md: `npm run policy`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { policyFiles, withKeyTable } from './files.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

for (const [path, text] of Object.entries(policyFiles())) {
  mkdirSync(dirname(at(`build/policy/${path}`)), { recursive: true });
  writeFileSync(at(`build/policy/${path}`), text);
}
const guide = at('docs/it-guide.md');
writeFileSync(guide, withKeyTable(readFileSync(guide, 'utf8')));
