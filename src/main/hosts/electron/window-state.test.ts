import { expect, it } from 'vitest';
import { backgroundOf, frameOf, openingFor, overlayOf, titleBarOf } from './window-state.ts';

const laptop = { x: 0, y: 0, width: 1440, height: 860 };
const second = { x: 1440, y: -200, width: 1920, height: 1080 };
const kept = { x: 1500, y: 100, width: 1000, height: 700, maximized: false };

it('opens where it was', () => {
  expect(openingFor(kept, [laptop, second])).toEqual({
    bounds: { x: 1500, y: 100, width: 1000, height: 700 },
    maximized: false,
  });
});

it('opens on the remaining display if its own is gone', () => {
  expect(openingFor(kept, [laptop])).toEqual({ bounds: { width: 1000, height: 700 }, maximized: false });
});

it.each([
  ['its title bar above the display', { ...kept, x: 100, y: -40 }],
  ['its title bar below the display', { ...kept, x: 100, y: 850 }],
  ['only a corner of it in view', { ...kept, x: 1400, y: 100 }],
])('opens in reach with %s', (_, state) => {
  expect(openingFor(state, [laptop]).bounds).toEqual({ width: 1000, height: 700 });
});

it('is no larger than its display', () => {
  expect(openingFor({ ...kept, x: 0, y: 0, width: 3000, height: 2000 }, [laptop]).bounds).toEqual(laptop);
});

it('opens maximised if it was closed maximised', () => {
  expect(openingFor({ ...kept, maximized: true }, [laptop]).maximized).toBe(true);
});

it.each([undefined, null, 'large', { width: -1 }, { ...kept, x: 0.5 }])(
  'opens as usual without a state: %o',
  (state) => {
    expect(openingFor(state, [laptop])).toEqual({ bounds: { width: 1200, height: 800 }, maximized: false });
  },
);

it('opens even without displays, because they may be asleep', () => {
  expect(openingFor(kept, [])).toEqual({ bounds: { width: 1000, height: 700 }, maximized: false });
});

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
