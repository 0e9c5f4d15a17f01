import { expect, it } from 'vitest';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { asksForAction, severityLevel, severityLooks, severityName, worstFirst } from './severity.tsx';

speakEnglish();

const levelsOf = (...values: readonly string[]) => values.map(severityLevel);

it('recognises severities in English, Swedish and German, however they are written', () => {
  expect(levelsOf('CRITICAL', 'Kritisk', 'kritisch', 'Akut', 'VERY_HIGH')).toEqual(Array(5).fill('critical'));
  expect(levelsOf('HIGH', 'Hög', 'HÖG', 'Ho\u0308g', ' hoch ', 'Allvarlig')).toEqual(Array(6).fill('high'));
  expect(levelsOf('Moderate', 'Medel', 'Mittel', 'mäßig')).toEqual(Array(4).fill('medium'));
  expect(levelsOf('low', 'Låg', 'Gering', 'minor')).toEqual(Array(4).fill('low'));
  expect(levelsOf('INFO', 'Notering', 'Hinweis')).toEqual(Array(3).fill('info'));
  expect(levelsOf('OK', 'Ingen', 'Keine')).toEqual(Array(3).fill('none'));
  expect(levelsOf('RISK_HIGH', 'High severity', 'Hög risk', 'Priorität: hoch')).toEqual(Array(4).fill('high'));
});

it('makes no guess: what only contains a known word, is ambiguous or a number stays neutral, in its own words', () => {
  const unknown = [
    'Not critical',
    'Ej allvarlig',
    'nicht kritisch',
    'Highway',
    'Normal',
    'K2',
    '0',
    '4',
    'Severity',
    '',
  ];
  expect(levelsOf(...unknown)).toEqual(unknown.map(() => 'unknown'));
  expect(severityName('Ej allvarlig')).toBe('Ej allvarlig');
  expect(severityLooks.unknown.color).toBe('informative');
});

it('orders critical before high, in every language, and gives each level an icon of its own', () => {
  const shuffled = ['Låg', 'hoch', 'INFO', 'K2', 'Medel', 'CRITICAL', 'OK', 'Hög', 'Kritisch'];
  const sorted = ['CRITICAL', 'Kritisch', 'hoch', 'Hög', 'Medel', 'K2', 'Låg', 'INFO', 'OK'];
  expect(worstFirst(shuffled, (value) => value)).toEqual(sorted);
  expect(sorted.filter(asksForAction)).toEqual(sorted.slice(0, 7));
  const icons = Object.values(severityLooks).map(({ Icon }) => Icon);
  expect(new Set(icons).size).toBe(icons.length);
});
