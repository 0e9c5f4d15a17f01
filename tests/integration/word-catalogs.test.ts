import { globSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Language } from '../../src/contract/preferences.ts';
import { languages, loadHostWords, loadWindowWords } from '../../src/words/languages.ts';

type Texts = ReadonlyMap<string, string>;

const textsOf = (words: object, before = ''): Texts =>
  new Map(
    Object.entries(words).flatMap(([key, value]) =>
      typeof value === 'string' ? [[`${before}${key}`, value] as const] : [...textsOf(value, `${before}${key}.`)],
    ),
  );

const readWords = (path: string): object => JSON.parse(readFileSync(`src/words/${path}`, 'utf8'));

const areas = readdirSync('src/words/en').flatMap((file) => /^(?!descriptions)(\w+)\.json$/.exec(file)?.[1] ?? []);

/** Returns every text of a language. The key of a text begins with its area, such as `window:count.file_one`. */
const textsIn = (language: Language): Texts =>
  new Map(
    areas.flatMap((area) =>
      [...textsOf(readWords(`${language}/${area}.json`))].map(([key, text]) => [`${area}:${key}`, text] as const),
    ),
  );

const placeholders = (text = ''): readonly string[] =>
  [...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, name = '']) => name).toSorted();

const plural = /_(zero|one|two|few|many|other)$/;
const english = textsIn('en');

/**
 * Returns the English text that the text `key` of another language translates. That language may have other plural
 * forms.
 */
const sourceOf = (key: string): string | undefined => english.get(key) ?? english.get(key.replace(plural, '_other'));

/** Whether a language can omit `key`, which is a plural form or a text for a context. */
const isVariant = (key: string): boolean => {
  const base = key.replace(/_[^.]*$/, '');
  return base !== key && key !== `${base}_other` && (english.has(base) || english.has(`${base}_other`));
};

it('the registry has every folder of words', () => {
  const folders = readdirSync('src/words', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).toSorted()).toEqual(Object.keys(languages).toSorted());
});

describe.each(Language.options.filter((language) => language !== 'en'))('the words in %s', (language) => {
  const texts = textsIn(language);

  it('have the keys of the English ones, none empty', () => {
    expect([...english.keys()].filter((key) => !isVariant(key) && !texts.has(key))).toEqual([]);
    expect([...texts.keys()].filter((key) => sourceOf(key) === undefined)).toEqual([]);
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('have the same placeholders', () => {
    const differing = [...texts].filter(
      ([key, text]) => placeholders(text).join() !== placeholders(sourceOf(key)).join(),
    );
    expect(differing).toEqual([]);
  });

  it('have every plural form of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const counted = new Set([...texts.keys()].filter((key) => plural.test(key)).map((key) => key.replace(plural, '')));
    expect(counted.size).toBeGreaterThan(20);
    expect([...counted].flatMap((key) => forms.filter((form) => !texts.has(`${key}_${form}`)))).toEqual([]);
  });

  it('are translated', () => {
    const same = [...english].filter(
      // Names of keys on the keyboard, and of the app itself, may be the same in two languages.
      ([key, text]) =>
        !key.includes('.key.') &&
        key !== 'policy:app' &&
        texts.get(key) === text &&
        /\p{L}{2,} \p{L}{2,}/u.test(text.replaceAll(/\{\{.*?\}\}/g, '')),
    );
    expect(same).toEqual([]);
  });
});

it('each description for translators is of a text or a group of texts', () => {
  const keys = [...english.keys()].map((key) => key.replace(plural, ''));
  const described = Object.keys(readWords('en/descriptions.json'));
  expect(described.length).toBeGreaterThan(0);
  expect(
    described.filter((of) => !keys.some((key) => key === of || key.startsWith(`${of}.`) || key.startsWith(`${of}:`))),
  ).toEqual([]);
});

it.each([
  ['window', ['src/renderer/**/*.{ts,tsx}'], loadWindowWords],
  ['host', ['src/main/**/*.ts'], loadHostWords],
] as const)('no text of the %s is left without a place where it is shown', async (_, folders, load) => {
  const source = globSync([...folders], { exclude: ['**/*.test.*'] })
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const literals = new Set([...source.matchAll(/'([a-zA-Z]+(?:\.[\w-]+)+)'/g)].map(([, key]) => key));
  const patterns = [...source.matchAll(/`([a-zA-Z.]+\$\{[^`]*)`/g)].map(
    ([, key = '']) => new RegExp(`^${key.replaceAll('.', '\\.').replaceAll(/\$\{.*?\}(?=[.\\]|$)/g, '[\\w-]+')}$`),
  );
  const keys = new Set([...textsOf((await load('en')).words).keys()].map((key) => key.replace(plural, '')));
  const unused = [...keys].filter(
    // The texts of errors, and of the doctor's checks, are looked up by codes that are not in the source.
    (key) => !/^(error|doctor)\./.test(key) && !literals.has(key) && !patterns.some((pattern) => pattern.test(key)),
  );
  expect(unused).toEqual([]);
});
