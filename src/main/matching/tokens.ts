/** The words and numbers of a name, in order, each with its place in the name. */
import { asRead, folded } from './fold.ts';

export type Token = {
  /** Folded; of a number its digits without leading zeros. */
  readonly text: string;
  readonly isNumber: boolean;
  /** Where it stands in the name: from `start` up to, not including, `end`. */
  readonly start: number;
  readonly end: number;
  /** What stands between the token before and this one; empty where one is glued to the other. */
  readonly gap: string;
};

/** Tokens from `from` up to, not including, `to`; `text` is all of them in one word. */
export type Span = { readonly from: number; readonly to: number; readonly text: string };

/** The rest of a longer name says nothing that the beginning does not. */
const MOST_CHARACTERS = 300;
const MOST_TOKENS = 32;

/** Words end where digits begin, and at a capital letter after a small one. */
const TOKEN = /\p{N}+|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}'’´]+|[\p{Lu}\p{Lt}](?:[\p{Lu}\p{M}'’´]*)/gu;

/** The tokens of `name`, which has been through `asRead`. */
export const tokensOf = (name: string): readonly Token[] => {
  const tokens: Token[] = [];
  let before = 0;
  for (const { 0: found, index } of name.slice(0, MOST_CHARACTERS).matchAll(TOKEN)) {
    const isNumber = /^\p{N}/u.test(found);
    const text = isNumber ? found.normalize('NFKC').replace(/^0+(?=.)/, '') : folded(found);
    if (text === '') continue;
    const end = index + found.length;
    tokens.push({ text, isNumber, start: index, end, gap: name.slice(before, index) });
    before = end;
    if (tokens.length === MOST_TOKENS) break;
  }
  return tokens;
};

/** The folded words of `text`, numbers included. */
export const foldedWords = (text: string): readonly string[] => tokensOf(asRead(text)).map((token) => token.text);

/** All words of `text` in one: the form in which cities, names and ids are compared. */
export const joined = (text: string): string => foldedWords(text).join('');
