/** A release: what it has in addition to other builds (contents.test.ts), and when it is refused. */
import { extractFile } from '@electron/asar';
import { expect, test } from 'vitest';
import { releaseConfig } from '../../scripts/release-config.mjs';
import { pack } from './support/pack.ts';

const changelog =
  '# Changelog\n\n## Unreleased\n\n- Later.\n\n## 1.2.3 (2026-11-22)\n\n- Faster.\n\n## 1.2.2\n\n- Old.\n';

const everything = {
  INSPECTION_DESK_UPDATES: 'https://updates.example/desk',
  INSPECTION_DESK_PUBLISHER: 'CN=Example AB, O=Example AB, C=SE',
  AZURE_SIGNING_ENDPOINT: 'https://weu.codesigning.azure.net',
  AZURE_SIGNING_ACCOUNT: 'example',
  AZURE_SIGNING_PROFILE: 'desk',
  AZURE_TENANT_ID: 't',
  AZURE_CLIENT_ID: 'c',
  AZURE_CLIENT_SECRET: 's',
  CSC_LINK: 'certificate.p12',
  CSC_KEY_PASSWORD: 'p',
  APPLE_API_KEY: 'key.p8',
  APPLE_API_KEY_ID: 'i',
  APPLE_API_ISSUER: 'u',
};

const configOf = (env: Readonly<Record<string, string | undefined>>, platform: string, version = '1.2.3') =>
  releaseConfig(env, platform, version, changelog);

test('signs on Windows and macOS, and says where updates are', () => {
  expect(configOf(everything, 'win32')).toMatchObject({
    forceCodeSigning: true,
    publish: {
      provider: 'generic',
      url: 'https://updates.example/desk',
      publisherName: [everything.INSPECTION_DESK_PUBLISHER],
    },
    win: {
      azureSignOptions: { publisherName: everything.INSPECTION_DESK_PUBLISHER, codeSigningAccountName: 'example' },
    },
    releaseInfo: { releaseNotes: '- Faster.' },
  });
  expect(configOf(everything, 'darwin')).toMatchObject({ forceCodeSigning: true, mac: { notarize: true } });
});

test.each(['win32', 'darwin'])('refuses on %s without every name and secret that signing needs', (platform) => {
  const needed = Object.keys(everything).filter((name) => {
    const { [name as keyof typeof everything]: _, ...without } = everything;
    try {
      configOf(without, platform);
      return false;
    } catch (error) {
      expect(String(error)).toContain(name);
      return true;
    }
  });
  expect(needed.length).toBeGreaterThan(5);
  expect(() => configOf({}, platform)).toThrow('Not released');
});

test('refuses an address without TLS, and a version that nobody described', () => {
  expect(() => configOf({ ...everything, INSPECTION_DESK_UPDATES: 'http://updates.example' }, 'linux')).toThrow(
    'https',
  );
  expect(() => configOf(everything, 'linux', '1.2.4')).toThrow('CHANGELOG');
});

test('a release knows in its archive who publishes it and from where it is updated', async () => {
  const { forceCodeSigning: _, win: __, extends: ___, ...config } = configOf(everything, 'win32');
  const { archive } = await pack({ platform: 'win32', config });
  const { INSPECTION_DESK_UPDATES: updates, INSPECTION_DESK_PUBLISHER: publisher } = everything;
  expect(JSON.parse(extractFile(archive, 'package.json').toString()).release).toEqual({ updates, publisher });
});
