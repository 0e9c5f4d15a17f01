import { afterEach, expect, it } from 'vitest';
import { type FormatSettings, localeOf } from '../../words/formats.ts';
import { formats, setFormats } from './formats.ts';
import { speakEnglish } from './testing/speak-english.ts';
import { t } from './words.ts';

speakEnglish();

const asSystem: FormatSettings = { language: 'system', formats: 'system', dateFormat: 'system', timeBase: 'auto' };
const time = new Date(2025, 1, 3, 4, 5).getTime();

afterEach(() => setFormats(asSystem));

it('writes dates and numbers as the system does', () => {
  setFormats({ ...asSystem, systemLocale: 'de-DE' });
  expect(formats().day(time)).toBe('03.02.2025');
  expect(formats().moment(time)).toBe('03.02.2025, 04:05');
  expect(formats().number(1204.5)).toBe('1.204,5');
  expect(t('count.file', { count: 1204 })).toBe('1.204 files');
  expect(['Å', 'Z'].toSorted(formats().collator.compare)).toEqual(['Å', 'Z']);
  setFormats({ ...asSystem, systemLocale: 'nb-NO' });
  expect(['Å', 'Z'].toSorted(formats().collator.compare)).toEqual(['Z', 'Å']);
});

it('writes them in English where that is preferred, in the system’s own if it has one', () => {
  expect(localeOf({ ...asSystem, formats: 'en', systemLocale: 'de-DE' })).toBe('en-GB');
  expect(localeOf({ ...asSystem, formats: 'en', systemLocale: 'en-US' })).toBe('en-US');
});

it('sorts by the language of the app, where one is chosen', () => {
  setFormats({ ...asSystem, language: 'sv', systemLocale: 'de-DE' });
  expect(['Å', 'Z'].toSorted(formats().collator.compare)).toEqual(['Z', 'Å']);
  expect(formats().number(1204.5)).toBe('1.204,5');
});

it('writes dates as the standard does, whatever the system', () => {
  setFormats({ ...asSystem, dateFormat: 'iso', systemLocale: 'de-DE' });
  expect(formats().day(time)).toBe('2025-02-03');
  expect(formats().moment(time)).toBe('2025-02-03 04:05');
  expect(formats().hour(time)).toBe('04:05');
  expect(formats().number(1204.5)).toBe('1.204,5');
});

it('takes no notice of what is no locale', () => {
  expect(localeOf({ ...asSystem, systemLocale: 'C' })).toBeUndefined();
  expect(localeOf({ ...asSystem, systemLocale: 'en-US-u-va-posix' })).toBe('en-US');
});
