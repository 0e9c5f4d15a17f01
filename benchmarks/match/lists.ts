/** Names of streets, towns and people of several countries; data/NOTICE.md says where they come from. */
import { readFileSync } from 'node:fs';

export const COUNTRIES = ['no', 'se', 'dk', 'fi', 'de', 'gb', 'fr', 'nl', 'it'] as const;
export type Country = (typeof COUNTRIES)[number];

export type Lists = {
  readonly country: Country;
  readonly cities: readonly string[];
  readonly streets: readonly string[];
  readonly first: readonly string[];
  readonly last: readonly string[];
  /** `#` stands for a digit, `@` for a capital letter. */
  readonly zip: string;
  readonly isNumberFirst: boolean;
};

export const listsOf = (country: Country): Lists => {
  const text = readFileSync(new URL(`data/${country}.txt`, import.meta.url), 'utf8');
  const parts = new Map(
    text
      .split(/^# /m)
      .slice(1)
      .map((part) => {
        const [name = '', ...lines] = part.trim().split('\n');
        return [name, lines.join('|').split('|')] as const;
      }),
  );
  const list = (name: string): readonly string[] => parts.get(name) ?? [];
  return {
    country,
    cities: list('cities'),
    streets: list('streets'),
    first: list('first'),
    last: list('last'),
    zip: list('zip')[0] ?? '####',
    isNumberFirst: list('numberFirst')[0] === 'true',
  };
};
