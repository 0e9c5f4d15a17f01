import { expect, test } from 'vitest';
import { updateWay } from './release.ts';

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
  // A deb that was built beside it leaves its mark in the AppImage, too.
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
