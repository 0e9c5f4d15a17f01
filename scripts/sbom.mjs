// @ts-check
/**
 * Prints the SBOM (CycloneDX) of what is shipped: Electron, and the npm packages that the last build has bundled or put
 * next to the bundles. npm itself cannot tell which development dependencies are bundled, and which are only tools.
 *
 *     npm sbom --sbom-format cyclonedx | node scripts/sbom.mjs
 */
import './right-node.mjs';
import { text } from 'node:stream/consumers';
import { idOf, shippedPackages } from './shipped-packages.mjs';

/** @typedef {{ readonly 'bom-ref': string, readonly scope?: string, readonly properties?: readonly { readonly name: string }[] }} Component */
/** @typedef {{ readonly ref: string, readonly dependsOn?: readonly string[] }} Dependency */
/** @typedef {{ readonly metadata: { readonly component: Component }, readonly components: readonly Component[], readonly dependencies: readonly Dependency[] }} Sbom */

const DEVELOPMENT = 'cdx:npm:package:development';

/**
 * Returns `all` with only the packages of `shipped`. Throws if one of them is missing.
 * @param {Sbom} all
 * @param {readonly string[]} shipped
 * @returns {Sbom}
 */
export const sbomOf = (all, shipped) => {
  const refs = new Set([all.metadata.component['bom-ref'], ...shipped]);
  const components = all.components
    .filter((one) => refs.has(one['bom-ref']))
    .map(({ properties = [], ...one }) => ({
      ...one,
      scope: 'required',
      properties: properties.filter(({ name }) => name !== DEVELOPMENT),
    }));
  const listed = new Set(components.map((one) => one['bom-ref']));
  const missing = shipped.filter((id) => !listed.has(id));
  if (missing.length > 0) throw new Error(`npm lists no ${missing.join(', ')}`);
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  return { ...all, components, dependencies };
};

if (import.meta.main) {
  const sbom = sbomOf(JSON.parse(await text(process.stdin)), shippedPackages().map(idOf));
  process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);
}
