import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { doctor as englishDoctor } from '../../src/words/english/doctor.ts';
import { hostWords as englishHost } from '../../src/words/english/host.ts';
import { windowWords as englishWindow } from '../../src/words/english/window.ts';
import { doctor as germanDoctor } from '../../src/words/german/doctor.ts';
import { hostWords as germanHost } from '../../src/words/german/host.ts';
import { windowWords as germanWindow } from '../../src/words/german/window.ts';
import { doctor as swedishDoctor } from '../../src/words/swedish/doctor.ts';
import { hostWords as swedishHost } from '../../src/words/swedish/host.ts';
import { windowWords as swedishWindow } from '../../src/words/swedish/window.ts';

const english = { window: englishWindow, host: englishHost, doctor: englishDoctor };
const swedish = { window: swedishWindow, host: swedishHost, doctor: swedishDoctor };
const german = { window: germanWindow, host: germanHost, doctor: germanDoctor };

const textsOf = (words: object, before = ''): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(words).flatMap(([key, value]) =>
      typeof value === 'string' ? [[`${before}${key}`, value] as const] : [...textsOf(value, `${before}${key}.`)],
    ),
  );

const placeholders = (text = ''): readonly string[] =>
  [...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, name = '']) => name).toSorted();

const plural = /_(zero|one|two|few|many|other)$/;
const englishTexts = textsOf(english);

describe.each([
  ['sv', swedish],
  ['de', german],
])('the words in %s', (locale, words) => {
  const texts = textsOf(words);

  it('have the keys of the English ones, none empty', () => {
    expect([...texts.keys()].toSorted()).toEqual([...englishTexts.keys()].toSorted());
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('have the same placeholders', () => {
    const differing = [...englishTexts].filter(
      ([key, text]) => placeholders(text).join() !== placeholders(texts.get(key)).join(),
    );
    expect(differing).toEqual([]);
  });

  it('have every plural form of the language', () => {
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    const counted = new Set([...texts.keys()].filter((key) => plural.test(key)).map((key) => key.replace(plural, '')));
    expect(counted.size).toBeGreaterThan(20);
    expect([...counted].flatMap((key) => forms.filter((form) => !texts.has(`${key}_${form}`)))).toEqual([]);
  });

  it('are translated', () => {
    const same = [...englishTexts].filter(
      // Keys of the keyboard may be called the same.
      ([key, text]) =>
        !key.includes('.key.') &&
        texts.get(key) === text &&
        /\p{L}{2,} \p{L}{2,}/u.test(text.replaceAll(/\{\{.*?\}\}/g, '')),
    );
    expect(same).toEqual([]);
  });
});

it.each([
  ['window', ['src/renderer/**/*.{ts,tsx}']],
  ['host', ['src/main/**/*.ts']],
] as const)('no text of the %s is left without a place where it is shown', (name, folders) => {
  const source = globSync([...folders], { exclude: ['**/*.test.*'] })
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const literals = new Set([...source.matchAll(/'([a-zA-Z]+(?:\.[\w-]+)+)'/g)].map(([, key]) => key));
  const patterns = [...source.matchAll(/`([a-zA-Z.]+\$\{[^`]*)`/g)].map(
    ([, key = '']) => new RegExp(`^${key.replaceAll('.', '\\.').replaceAll(/\$\{.*?\}(?=[.\\]|$)/g, '[\\w-]+')}$`),
  );
  const keys = new Set([...textsOf(english[name]).keys()].map((key) => key.replace(plural, '')));
  const unused = [...keys].filter(
    // Which text an error gets is decided by its code.
    (key) => !key.startsWith('error.') && !literals.has(key) && !patterns.some((pattern) => pattern.test(key)),
  );
  expect(unused).toEqual([]);
});
