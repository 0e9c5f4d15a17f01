/** ZIP codes that no number is like: with letters ("LS9 8PH"), or in two parts ("753 10", "60-834"). */
import type { Span, Token } from './tokens.ts';

/** What may be such a code: `span` of a name, and how it is written. */
export type CodeMention = { readonly span: Span; readonly shape: string };

/** How `zip` is written; empty for a plain number. "LS12 3AB" and "M1 3AB" are both "A9 9AA". */
export const zipShape = (zip: string): string => {
  if (/^\d*$/.test(zip)) return '';
  const shape = zip.replaceAll(/\p{Lu}/gu, 'A').replaceAll(/\d/g, '9');
  return shape.startsWith('A') ? shape.replace(/^A+9+(?= )/, 'A9') : shape;
};

const MOST_TOKENS = 4;

/** The codes in `name`, whose `tokens` and `spans` these are. */
export const codeMentions = (name: string, tokens: readonly Token[], spans: readonly Span[]): readonly CodeMention[] =>
  spans.flatMap((span) => {
    const { from, to } = span;
    const [first, last] = [tokens[from], tokens[to - 1]];
    if (first === undefined || last === undefined || to - from < 2 || to - from > MOST_TOKENS) return [];
    if ((!first.isNumber && first.text.length > 2) || (!last.isNumber && last.text.length > 2)) return [];
    const isWhole = (from === 0 || first.gap !== '') && tokens[to]?.gap !== '';
    const words = name.slice(first.start, last.end);
    return isWhole && CODE.test(words) ? [{ span, shape: zipShape(words) }] : [];
  });

const CODE = /^(?=.*\d)[\p{Lu}\d]+(?:[ -][\p{Lu}\d]+)?$/u;
