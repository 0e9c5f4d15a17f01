import { describe, expect, it } from 'vitest';
import {
  dayBounds,
  formatDay,
  formatMoment,
  formatMonth,
  formatNear,
  formatTimeOfDay,
  fromInputValue,
  fromMilliseconds,
  toInputValue,
  toMilliseconds,
} from './dates.ts';
import { setFormats } from './formats.ts';
import { speakEnglish } from './testing/speak-english.ts';

speakEnglish();

describe('times of the service', () => {
  it('reads numbers as the settings say', () => {
    const settings = { language: 'system', formats: 'system', dateFormat: 'system' } as const;
    setFormats({ ...settings, timeBase: 'milliseconds' });
    expect(toMilliseconds(1_735_689_600)).toBe(1_735_689_600);
    setFormats({ ...settings, timeBase: 'seconds' });
    expect(toMilliseconds(173_568_960_000)).toBe(173_568_960_000_000);
    setFormats({ ...settings, timeBase: 'auto' });
    expect(toMilliseconds(1_735_689_600)).toBe(1_735_689_600_000);
  });

  it('goes back to the base it came from', () => {
    expect(fromMilliseconds(1_735_689_600_999, 'seconds')).toBe(1_735_689_600);
    expect(fromMilliseconds(1_735_689_600_999, 'milliseconds')).toBe(1_735_689_600_999);
  });

  it('shows a dash for what is no time', () => {
    expect(formatDay(0)).toBe('–');
    expect(formatMoment(Number.NaN)).toBe('–');
    expect(formatMoment(1e300)).toBe('–');
    expect(formatDay(1_735_689_600_000)).toContain('202');
  });

  it('names a month in the language of the app, as the calendar does', () => {
    const settings = { language: 'en', formats: 'system', timeBase: 'auto', systemLocale: 'de-DE' } as const;
    const timeMs = new Date(2025, 1, 3).getTime();
    setFormats({ ...settings, dateFormat: 'system' });
    expect(formatMonth(timeMs)).toBe('February 2025');
    setFormats({ ...settings, dateFormat: 'iso' });
    expect(formatMonth(timeMs)).toBe('2025-02');
  });

  it('writes a time of the day as the settings say', () => {
    const settings = { language: 'system', formats: 'system', timeBase: 'auto', systemLocale: 'en-US' } as const;
    setFormats({ ...settings, dateFormat: 'system' });
    expect(formatTimeOfDay('18:05')).toMatch(/^6:05\sPM$/);
    setFormats({ ...settings, dateFormat: 'iso' });
    expect(formatTimeOfDay('18:05')).toBe('18:05');
  });

  it('writes a time near by without its day only on that day', () => {
    setFormats({ language: 'system', formats: 'system', timeBase: 'auto', systemLocale: 'en-US', dateFormat: 'iso' });
    const time = new Date(2025, 1, 3, 23, 5);
    expect(formatNear(time.getTime(), new Date(2025, 1, 3, 23, 50).getTime())).toBe('23:05');
    expect(formatNear(time.getTime(), new Date(2025, 1, 4, 0, 1).getTime())).toBe('2025-02-03 23:05');
  });

  it('passes through a date-time input unchanged to the minute', () => {
    const timeMs = new Date(2025, 1, 3, 4, 5).getTime();
    expect(toInputValue(timeMs)).toBe('2025-02-03T04:05');
    expect(fromInputValue('2025-02-03T04:05')).toBe(timeMs);
  });

  it('takes an empty input as no time', () => {
    expect(fromInputValue('')).toBeUndefined();
    expect(fromInputValue('soon')).toBeUndefined();
  });
});

it('a range of days begins at the start of the first and ends with the last, in local time', () => {
  const { fromMs, beforeMs } = dayBounds({ fromDay: '2026-03-28', toDay: '2026-03-31' });
  expect(fromMs).toBe(new Date(2026, 2, 28).getTime());
  expect(beforeMs).toBe(new Date(2026, 3, 1).getTime());
  expect(dayBounds({ fromDay: '2026-03-28', toDay: '' })).not.toHaveProperty('beforeMs');
});
