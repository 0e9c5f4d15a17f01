import { expect, it } from 'vitest';
import { backgroundOf, frameOf, overlayOf, titleBarOf } from './title-bar.ts';

it('leaves the lights of a Mac in the window’s own top row', () => {
  expect(frameOf('darwin')).toBe('mac');
  expect(titleBarOf('darwin', { dark: false })).toEqual({
    titleBarStyle: 'hiddenInset',
    trafficLightPosition: { x: 16, y: 15 },
  });
});

it('lays the buttons of Windows over it, in the colours of the app', () => {
  expect(frameOf('win32')).toBe('windows');
  expect(titleBarOf('win32', { dark: true })).toEqual({
    titleBarStyle: 'hidden',
    titleBarOverlay: { color: '#292929', symbolColor: '#ffffff', height: 44 },
  });
  expect(overlayOf({ dark: false })).toMatchObject({ color: '#ffffff', symbolColor: '#242424' });
});

it('takes the system’s colours where these are forced', () => {
  const forced = { window: '#000000', text: '#ffff00' };
  expect(overlayOf({ dark: false, forced })).toMatchObject({ color: '#000000', symbolColor: '#ffff00' });
  expect(backgroundOf({ dark: false, forced })).toBe('#000000');
});

it('leaves the title bar to the desktop elsewhere', () => {
  expect(frameOf('linux')).toBeUndefined();
  expect(titleBarOf('linux', { dark: true })).toEqual({});
});
