import { expect, test } from 'vitest';
import { isSignedBy, updateWay } from './release.ts';

const release = { updates: 'https://updates.example', publisher: 'CN=Example AB' };
const installed = {
  platform: 'win32',
  isPackaged: true,
  release,
  packageType: undefined,
  appImage: undefined,
} as const;

test('updates itself where a person installed it', () => {
  expect(updateWay(installed)).toEqual({ way: 'nsis' });
  expect(updateWay({ ...installed, platform: 'darwin' })).toEqual({ way: 'mac' });
  // If a deb package was built together with the AppImage, the AppImage also contains `package-type` with `deb`.
  const appImage = { ...installed, platform: 'linux', appImage: '/home/a/Desk.AppImage', packageType: 'deb' } as const;
  expect(updateWay(appImage)).toEqual({ way: 'appimage' });
});

test('leaves it to the software distribution that installed it', () => {
  expect(updateWay({ ...installed, packageType: 'msi' })).toEqual({ off: 'installer' });
  expect(updateWay({ ...installed, platform: 'linux', packageType: 'deb' })).toEqual({ off: 'installer' });
});

test('does not update what is no release, or could not be checked', () => {
  expect(updateWay({ ...installed, isPackaged: false })).toEqual({ off: 'build' });
  expect(updateWay({ ...installed, release: undefined })).toEqual({ off: 'build' });
  expect(updateWay({ ...installed, release: { updates: release.updates } })).toEqual({ off: 'build' });
});

const publisher = 'CN=Example AB, O=Example AB, C=SE';
const version = '2.0.0';
const path = 'C:\\Users\\å\\new.exe';

const answering = (answer: unknown) => async (): Promise<string> => JSON.stringify(answer);

test('accepts a valid signature of the publisher, whatever else its name has', async () => {
  const subject = 'CN=Example AB, O=Example AB, L=Lund, S=Skåne, C=SE';
  expect(await isSignedBy(publisher, version, path, answering({ status: 'Valid', subject, version }))).toBe(true);
});

test.each([
  ['another publisher', { status: 'Valid', subject: 'CN=Other AB, O=Example AB, C=SE' }],
  ['a name that begins like it', { status: 'Valid', subject: 'CN=Example AB Ltd, O=Example AB, C=SE' }],
  ['no signature', { status: 'NotSigned', subject: '' }],
  ['a changed file', { status: 'HashMismatch', subject: publisher }],
  ['a certificate that nobody trusts', { status: 'UnknownError', subject: publisher }],
  ['an answer without a name', { status: 'Valid', subject: '' }],
  ['an old installer that is offered as a new one', { status: 'Valid', subject: publisher, version: '1.0.0' }],
  ['a file without a version', { status: 'Valid', subject: publisher, version: '' }],
  ['an answer of another kind', ['Valid']],
])('refuses %s', async (_, answer) => {
  const said = Array.isArray(answer) ? answer : { version, ...answer };
  expect(await isSignedBy(publisher, version, path, answering(said))).toBe(false);
});

test('refuses what cannot be found out', async () => {
  const valid = answering({ status: 'Valid', subject: publisher, version });
  expect(await isSignedBy(publisher, version, path, () => Promise.reject(new Error('PowerShell is blocked')))).toBe(
    false,
  );
  expect(await isSignedBy(publisher, version, path, async () => '')).toBe(false);
  expect(await isSignedBy('', version, path, valid)).toBe(false);
  expect(await isSignedBy('Example AB', version, path, valid)).toBe(false);
});
