import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { FormatSettings } from '../../words/formats.ts';
import { toInputValue } from './dates.ts';
import { setFormats } from './formats.ts';
import { speakEnglish } from './testing/speak-english.ts';
import { typedPattern, typedText, typedValue } from './typed-dates.ts';

speakEnglish();

const asSystem: FormatSettings = { language: 'system', formats: 'system', dateFormat: 'system', timeBase: 'auto' };
const use = (systemLocale: string, dateFormat: FormatSettings['dateFormat'] = 'system'): void =>
  setFormats({ ...asSystem, dateFormat, systemLocale });

afterEach(() => setFormats(asSystem));

describe('dates are typed in the chosen format', () => {
  it.each([
    ['en-US', '03/01/2027 6:05 PM', 'mm/dd/yyyy'],
    ['en-GB', '01/03/2027 18:05', 'dd/mm/yyyy'],
    ['sv-SE', '2027-03-01 18:05', 'yyyy-mm-dd'],
    ['de-DE', '01.03.2027 18:05', 'dd.mm.yyyy'],
  ])('%s: %s', (locale, text, pattern) => {
    use(locale);
    // Takes all spaces for the same, because newer locale data has a no-break space here.
    expect(typedText('2027-03-01T18:05').replaceAll(/\s/g, ' ')).toBe(text);
    expect(typedPattern(false)).toBe(pattern);
    expect(typedValue(text, true)).toBe('2027-03-01T18:05');
  });

  it('as the standard writes them, whatever the system', () => {
    use('en-US', 'iso');
    expect([typedText('2027-03-01'), typedText('2027-03-01T18:05')]).toEqual(['2027-03-01', '2027-03-01 18:05']);
    expect(typedPattern(true)).toBe('yyyy-mm-dd hh:mm');
  });
});

it.each([
  ['en-US', '3/1/27', '2027-03-01'],
  ['en-GB', '1 3 2027', '2027-03-01'],
  ['de-DE', '1.3.27', '2027-03-01'],
  ['de-DE', '2027-3-1', '2027-03-01'],
])('%s reads “%s” as people write it in a hurry', (locale, text, value) => {
  use(locale);
  expect(typedValue(text, false)).toBe(value);
});

it.each(['8 pm', '8:00 PM', '20:00', '20.00', ', 20:00', 'T20:00'])('reads the time “%s”', (time) => {
  use('en-US');
  expect(typedValue(`2027-03-01 ${time}`.replace(' T', 'T').replace(' ,', ','), true)).toBe('2027-03-01T20:00');
});

it.each(['8 Uhr', '8:00 Uhr', '08.00 uhr', 'um 8:00 Uhr', 'um 8'])('reads the German time “%s”', (time) => {
  use('de-DE');
  expect(typedValue(`1.3.2027 ${time}`, true)).toBe('2027-03-01T08:00');
});

it('reads no word after a time in a locale that writes none', () => {
  use('en-GB');
  expect(typedValue('1/3/2027 8:00 Uhr', true)).toBeUndefined();
});

it('reads a date without a time as its morning', () => {
  setFormats({ ...asSystem, systemLocale: 'en-US' });
  expect(typedValue('3/1/2027', true)).toBe('2027-03-01T08:00');
});

it.each(['', '3', '3/1', '13/13/2027', '02/30/2027', '3/1/2027 x9', '3/1/027'])('“%s” is no date', (text) => {
  use('en-US');
  expect(typedValue(text, false)).toBeUndefined();
});

it.each(['3/1/2027 25:00', '3/1/2027 13:00 PM', '3/1/2027 8:60', '3/1/2027 8 o’clock'])(
  '“%s” is no date with a time',
  (text) => {
    use('en-US');
    expect(typedValue(text, true)).toBeUndefined();
  },
);

it('reads back every moment it writes, in the formats of many places', () => {
  const locales = [
    'en-US',
    'en-GB',
    'sv-SE',
    'de-DE',
    'nb-NO',
    'fi-FI',
    'fr-CH',
    'pl-PL',
    'ja-JP',
    'fa-IR',
    'ar-EG',
    'bg-BG',
  ];
  const moments = fc.date({ min: new Date(1990, 0, 1), max: new Date(2099, 11, 31), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom(...locales), moments, (locale, moment) => {
      use(locale);
      const value = toInputValue(moment.getTime());
      expect(typedValue(typedText(value), true)).toBe(value);
      expect(typedValue(typedText(value.slice(0, 10)), false)).toBe(value.slice(0, 10));
    }),
  );
});
