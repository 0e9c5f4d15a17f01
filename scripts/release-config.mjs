// @ts-check
/**
 * The configuration of a release: electron-builder.yml with signing and updates. The identities for signing come from
 * the environment (docs/releasing.md). If one is missing, nothing is built.
 */
import { readFileSync } from 'node:fs';

/** @typedef {Readonly<Record<string, string | undefined>>} Environment */

const always = ['INSPECTION_DESK_UPDATES'];

/**
 * The variables that each system needs for signing. electron-builder and the tools of Azure and Apple read those that
 * are not used below.
 */
const forSigning = Object.freeze({
  win32: [
    'INSPECTION_DESK_PUBLISHER',
    'AZURE_SIGNING_ENDPOINT',
    'AZURE_SIGNING_ACCOUNT',
    'AZURE_SIGNING_PROFILE',
    'AZURE_TENANT_ID',
    'AZURE_CLIENT_ID',
    'AZURE_CLIENT_SECRET',
  ],
  darwin: ['CSC_LINK', 'CSC_KEY_PASSWORD', 'APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
});

/**
 * Returns the section of `changelog` about `version`.
 * @param {string} changelog
 * @param {string} version
 */
const notesOf = (changelog, version) => {
  const section = changelog.split(/^## /m).find((one) => /^\S+/.exec(one)?.[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}"`);
  return section.slice(section.indexOf('\n')).trim();
};

/** @param {Environment} env */
const updatesOf = ({ INSPECTION_DESK_UPDATES: address = '' }) => {
  if (!address.startsWith('https://')) throw new Error('INSPECTION_DESK_UPDATES is not an https address');
  return address;
};

/**
 * Returns the configuration of a release on `platform`. `version`: the version of the app. Throws if a variable for
 * signing or for updates is missing, or if `changelog` has no section for `version`.
 *
 * @param {Environment} env @param {string} platform @param {string} version @param {string} changelog
 * @returns {import('electron-builder').Configuration}
 */
export const releaseConfig = (env, platform, version, changelog) => {
  const needed = platform === 'win32' || platform === 'darwin' ? [...always, ...forSigning[platform]] : always;
  const missing = needed.filter((name) => !env[name]);
  if (missing.length > 0) throw new Error(`Not released: the environment has no ${missing.join(', ')}`);
  const updates = updatesOf(env);
  const {
    INSPECTION_DESK_PUBLISHER: publisher = '',
    AZURE_SIGNING_ENDPOINT: endpoint = '',
    AZURE_SIGNING_ACCOUNT: codeSigningAccountName = '',
    AZURE_SIGNING_PROFILE: certificateProfileName = '',
  } = env;
  return {
    extends: 'electron-builder.yml',
    // Fails the build if something was not signed.
    forceCodeSigning: platform !== 'linux',
    extraMetadata: { release: { updates, ...(platform === 'win32' && { publisher }) } },
    publish: { provider: 'generic', url: updates, ...(platform === 'win32' && { publisherName: [publisher] }) },
    releaseInfo: { releaseNotes: notesOf(changelog, version) },
    ...(platform === 'win32' && {
      win: {
        azureSignOptions: { publisherName: publisher, endpoint, codeSigningAccountName, certificateProfileName },
      },
    }),
    ...(platform === 'darwin' && { mac: { notarize: true } }),
  };
};

/** @param {string} name */
const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

export default () =>
  releaseConfig(process.env, process.platform, JSON.parse(read('package.json')).version, read('CHANGELOG.md'));
