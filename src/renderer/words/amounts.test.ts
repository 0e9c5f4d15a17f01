import { describe, expect, it } from 'vitest';
import { formatAge, formatPercent, formatTimeLeft } from './amounts.ts';
import { speakEnglish } from './testing/speak-english.ts';

speakEnglish();

describe('formatTimeLeft', () => {
  const after = (seconds: number) => formatTimeLeft(seconds * 1000, 1000);

  it('is as coarse as the guess deserves', () => {
    expect(after(5)).toBe('less than a minute');
    expect(after(65)).toBe('about 1 minute');
    expect(after(250)).toBe('about 4 minutes');
    expect(after(60 * 60)).toBe('about 1 h');
    expect(after(131 * 60)).toBe('about 2 h 10 min');
    expect(after(3 * 24 * 3600)).toBe('about 3 days');
  });

  it('never says 60 minutes past an hour', () => {
    expect(after(118.9 * 60)).toBe('about 2 h');
    expect(after(59.6 * 60)).toBe('about 1 h');
  });

  it('knows nothing while nothing moves', () => {
    expect(formatTimeLeft(1000, 0)).toBeUndefined();
    expect(formatTimeLeft(-1, 10)).toBeUndefined();
  });
});

it('shows all of a hundred whole percents as they are, and rounds down between them', () => {
  const hundred = Array.from({ length: 101 }, (_, percent) => percent);
  expect(hundred.filter((percent) => formatPercent(percent / 100) !== `${percent}%`)).toEqual([]);
  expect(formatPercent(0.9999)).toBe('99%');
});

describe('words', () => {
  it('tells how long ago', () => {
    const now = 1_735_689_600_000;
    expect(formatAge(now - 5_000, now)).toBe('just now');
    expect(formatAge(now - 60_000, now)).toBe('1 minute ago');
    expect(formatAge(now - 5 * 3_600_000, now)).toBe('5 hours ago');
    expect(formatAge(now - 49 * 3_600_000, now)).toBe('2 days ago');
    expect(formatAge(now + 5_000, now)).toBe('just now');
  });
});
