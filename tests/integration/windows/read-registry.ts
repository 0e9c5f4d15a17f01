/**
 * Stores the texts of a JSON file (its argument) in the registry, and replaces them with the texts that it reads from
 * the registry.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { registryText } from '../../../src/main/settings/policy/read-policy.ts';

const [, , path = ''] = process.argv;
const key = 'HKEY_CURRENT_USER\\Software\\Inspection Desk Test';
const reg = (...args: readonly string[]) => spawnSync('reg.exe', [...args, '/f'], { stdio: 'ignore' });

const read: (string | undefined)[] = [];
for (const [type, text] of JSON.parse(readFileSync(path, 'utf8'))) {
  reg('add', key, '/v', 'CA', '/t', type, '/d', text);
  read.push(await registryText(key, 'ca'));
}
reg('delete', key);
writeFileSync(path, JSON.stringify(read));
