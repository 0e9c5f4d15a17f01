// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MiddleCut } from './middle-cut.tsx';

/** Returns the two parts in which `name` is shown; the second one is empty for a name in one piece. */
const splitName = (name: string) => {
  const { container } = render(<MiddleCut name={name} />);
  const [start, end] = [...container.querySelectorAll('[aria-hidden]')].map(({ textContent }) => textContent);
  const whole = container.textContent;
  cleanup();
  return start === undefined ? { start: whole, end: '' } : { start, end: end ?? '' };
};

test('keeps the extension and the end of a long name', () => {
  expect(splitName('Inspection of the north stairwell, photo 0012.jpeg')).toEqual({
    start: 'Inspection of the north stairwell, ',
    end: 'photo 0012.jpeg',
  });
});

test('keeps the end of a long name without an extension', () => {
  const name = 'Certificates 2026/Electrical/Certificate 0001 of the substation';
  expect(splitName(name)).toEqual({ start: name.slice(0, -10), end: 'substation' });
});

test('begins the end with a whole word, unless that is long', () => {
  expect(splitName('Documents of the inspection on the third floor').end).toBe('third floor');
  expect(splitName('Photos of the Rindfleischetikettierungsgesetz').end).toBe('ungsgesetz');
});

test('takes no sentence after a dot for an extension', () => {
  expect(splitName('Report no. 1 of the inspection in spring').end).toBe(' in spring');
});

test('keeps the time in the name of a photo', () => {
  expect(splitName('IMG_20261120_12000.png').end).toBe('20261120_12000.png');
});

test('leaves something to be cut at the start', () => {
  expect(splitName('rapport 1 0004.jpeg')).toEqual({ start: 'rapp', end: 'ort 1 0004.jpeg' });
});

test('leaves a short name in one piece', () => {
  expect(splitName('photo 0012.jpg')).toEqual({ start: 'photo 0012.jpg', end: '' });
});

test('never cuts within a character', () => {
  const family = '👨‍👩‍👧‍👦';
  const e = 'e\u0301';
  for (let count = 0; count < 12; count += 1) {
    const name = `Photo of the whole family of owners ${family}${e.repeat(count)}.jpg`;
    const { start, end } = splitName(name);
    expect(start + end).toBe(name);
    expect(start.includes(family) || end.includes(family)).toBe(true);
    expect(end.startsWith('\u0301')).toBe(false);
  }
});
