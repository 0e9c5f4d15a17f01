import { expect, it } from 'vitest';
import { backgroundOf, frameOf, overlayOf, titleBarOf } from './title-bar.ts';

it('keeps the traffic lights of macOS in the top row of the window', () => {
  expect(frameOf('darwin')).toBe('mac');
  expect(titleBarOf('darwin', { dark: false })).toEqual({
    titleBarStyle: 'hiddenInset',
    trafficLightPosition: { x: 16, y: 15 },
  });
});

it('places the buttons of Windows over the top row, in the colours of the app', () => {
  expect(frameOf('win32')).toBe('windows');
  expect(titleBarOf('win32', { dark: true })).toEqual({
    titleBarStyle: 'hidden',
    titleBarOverlay: { color: '#292929', symbolColor: '#ffffff', height: 44 },
  });
  expect(overlayOf({ dark: false })).toMatchObject({ color: '#ffffff', symbolColor: '#242424' });
});

it('uses the system’s colours if they are forced', () => {
  const forced = { window: '#000000', text: '#ffff00' };
  expect(overlayOf({ dark: false, forced })).toMatchObject({ color: '#000000', symbolColor: '#ffff00' });
  expect(backgroundOf({ dark: false, forced })).toBe('#000000');
});

it('leaves the title bar to the desktop on other systems', () => {
  expect(frameOf('linux')).toBeUndefined();
  expect(titleBarOf('linux', { dark: true })).toEqual({});
});
