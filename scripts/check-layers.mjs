// @ts-check
/**
 * Checks the imports of the sources, including those of types. A room must not import a room or a package that
 * `layers.mjs` does not allow, and files must not import each other in a circle. Tests are not checked. Prints each
 * fault as `file:line: what is wrong`, and exits with 1 if there is one.
 *
 *     node scripts/check-layers.mjs [DIRECTORY]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { packages, rooms } from './layers.mjs';

const root = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /(?<!\.d)\.tsx?$/.test(file) && !/\.test\.|(^|\/)testing\//.test(file))
  .sort();

/** The rooms of the table. A room comes before the room that contains it, and a named room before `*`. */
const patterns = Object.entries(rooms)
  .map(([room, may]) => ({ pattern: new RegExp(`^${room.replace('*', '[^/.]+')}(?=/|$)`), may: may.split(' '), room }))
  .sort((one, other) => other.room.replace('*', '').length - one.room.replace('*', '').length);

/**
 * Returns the room of a file, and what it is allowed to import.
 * @param {string} file
 */
const roomOf = (file) => {
  const [found] = patterns.filter(({ pattern }) => pattern.test(file));
  return { name: found?.pattern.exec(file)?.[0], may: found?.may ?? [] };
};

/**
 * Whether `file` is allowed to import `target`, a package or a file of the sources.
 * @param {string} file
 * @param {string} target
 */
const isAllowed = (file, target) => {
  const { name: room, may } = roomOf(file);
  if (!files.includes(target)) {
    const known = packages.find((name) => target === name || target.startsWith(name === 'node' ? 'node:' : `${name}/`));
    return known === undefined || may.includes(known);
  }
  const other = roomOf(target).name ?? '';
  const isIn = (/** @type {string | undefined} */ outer) => other === outer || other.startsWith(`${outer}/`);
  return isIn(room) || may.some(isIn) || may.includes(`${other}/.`);
};

/**
 * Returns what a file imports, and in which lines.
 * @param {string} file
 * @returns {readonly { readonly target: string, readonly line: number }[]}
 */
const importsOf = (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  const requests = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
    ...dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ];
  return requests.map(({ start, end }) => {
    const name = text.slice(start, end).replaceAll(/^['"`]|['"`]$/g, '');
    const target = name.startsWith('.') ? posix.join(posix.dirname(file), name) : name;
    return { target, line: text.slice(0, start).split('\n').length };
  });
};

/** @type {string[]} */
const faults = [];
/** @type {Map<string, 'open' | 'done'>} */
const seen = new Map();
/**
 * @param {string} file
 * @param {readonly string[]} way the chain of imports that leads to the file, beginning with the file that was visited
 * first
 */
const visit = (file, way) => {
  if (seen.get(file) === 'open')
    faults.push(`${file}:1: imports itself: ${[...way.slice(way.indexOf(file)), file].join(' → ')}`);
  if (seen.has(file)) return;
  seen.set(file, 'open');
  if (roomOf(file).name === undefined) faults.push(`${file}:1: layers.mjs has no room for it`);
  for (const { target, line } of importsOf(file)) {
    if (!isAllowed(file, target)) faults.push(`${file}:${line}: ${roomOf(file).name} may not import ${target}`);
    if (files.includes(target)) visit(target, [...way, file]);
  }
  seen.set(file, 'done');
};
for (const file of files) visit(file, []);
if (faults.length > 0) process.stdout.write(`${faults.join('\n')}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
