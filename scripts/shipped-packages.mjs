// @ts-check
/**
 * Lists the third-party packages that the app ships: those in the bundles of the last build, those next to the bundles,
 * and Electron.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * `folder`: where the package is installed.
 * @typedef {{ readonly name: string, readonly version: string, readonly folder: string }} ShippedPackage
 */

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/**
 * Returns the name of a package in an SBOM.
 * @param {{ readonly name: string, readonly version: string }} package_
 */
export const idOf = ({ name, version }) => `${name}@${version}`;

/** @typedef {{ readonly name?: string, readonly version?: string, readonly dev?: boolean, readonly optional?: boolean, readonly devOptional?: boolean }} Locked */

/**
 * Returns the packages that are installed here. `isBeside`: whether the package is shipped next to the bundles, or is
 * compiled into a package there.
 */
const installed = () => {
  /** @type {{ readonly packages: Readonly<Record<string, Locked>> }} */
  const { packages } = readJson('package-lock.json');
  const chosen = new Set(Object.keys(readJson('package.json').optionalDependencies));
  return Object.entries(packages)
    .map(([path, { name: named, version = '', dev, optional, devOptional }]) => {
      // A package that is installed under an alias has a `name`.
      const name = named ?? path.split('node_modules/').at(-1) ?? '';
      // Leaves out the dependencies of an optional package, which only download its binding.
      const isBeside = !dev && (!(optional || devOptional) || chosen.has(name));
      return { name, version, isBeside, folder: join(root, path) };
    })
    .filter(({ folder }) => folder !== root && existsSync(folder));
};

const bundled = () => {
  /** @type {readonly { readonly name: string, readonly version: string }[]} */
  const packages = ['main', 'preload', 'renderer'].flatMap((bundle) => readJson(`out/${bundle}/.vite/license.json`));
  return new Set(packages.map(idOf));
};

/**
 * Returns each shipped package once. Throws if nothing was built yet.
 * @returns {readonly ShippedPackage[]}
 */
export const shippedPackages = () => {
  const inBundles = bundled();
  /** @type {Map<string, ShippedPackage>} */
  const shipped = new Map();
  for (const { isBeside, ...one } of installed()) {
    if (isBeside || one.name === 'electron' || inBundles.has(idOf(one))) shipped.set(idOf(one), one);
  }
  const unknown = [...inBundles].filter((id) => !shipped.has(id));
  if (unknown.length > 0) throw new Error(`bundled, but not in package-lock.json: ${unknown.join(', ')}`);
  return [...shipped.values()];
};
