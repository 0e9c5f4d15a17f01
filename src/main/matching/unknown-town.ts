/** Towns that no list knows, told by where they stand and how they are written: "Via Roma 12 Cantalupo". */
import type { ReadTarget } from './match-target.ts';
import { overlap, type PathEvidence, type Place, type StreetMention } from './name-evidence.ts';
import { isInDate, type NumberBeside, type Segment } from './name-segment.ts';
import { COMPANY_FORMS, isWorkWord, NOISE, SIDE_WORDS, UNIT_WORDS } from './name-words.ts';
import { mistakesAllowed, mistakesBetween } from './near-strings.ts';
import { isFilling, kindsOf } from './street-words.ts';
import { foldedWords, type Token } from './tokens.ts';

/**
 * A word beside the address that is written like a name and is neither a word of offices nor like anything that is known of the
 * assignment: probably another town. Best the first one behind the address, else what stands alone before it.
 */
export const unknownTown = (
  path: PathEvidence,
  read: ReadTarget,
  mention: StreetMention,
  isPerson: (word: string) => boolean,
): Place | undefined => {
  const { numberSegment: segment, numberDepth: depth, span, behind, front } = mention;
  const isHere = depth === mention.depth;
  const end = Math.max(behind?.to ?? 0, isHere ? span.to : 0);
  const start = isHere ? Math.min(front?.from ?? span.from, span.from) : 0;
  const places = (from: number, to: number): readonly Place[] =>
    segment.tokens
      .slice(from, to)
      .flatMap((token, at) =>
        saysNothing(segment, token) ? [] : [{ segment, depth, span: { from: from + at, to: from + at + 1 } }],
      );
  const isTown = (place: Place): boolean => {
    const word = segment.tokens[place.span.from];
    const isKnown = [...path.performers, ...path.streets, ...path.cities].some((other) => overlap(other, place));
    if (word === undefined || isKnown || isPerson(word.text) || isOf(read, word.text)) return false;
    return isLikeName(segment, word) && !isBehindInitial(segment, place.span.from, behind);
  };
  const [first] = places(end, segment.tokens.length);
  const before = places(0, start);
  if (first !== undefined && isTown(first)) return first;
  return before.length <= MOST_WORDS && before.every(isTown) ? before[0] : undefined;
};

/** "K. Hansen" is a person, "97A Hansen" may be a town. */
const isBehindInitial = ({ tokens }: Segment, at: number, number: NumberBeside | undefined): boolean => {
  const initial = tokens[at - 1];
  const isLetter = initial !== undefined && !initial.isNumber && initial.text.length === 1;
  return isLetter && !(number?.isGlued === true && number.to === at);
};

/** More words before an address are hardly a town. */
const MOST_WORDS = 2;

/** Numbers, letters, and the words that offices use in the names of folders. */
const saysNothing = (segment: Segment, token: Token): boolean =>
  token.isNumber ||
  token.text.length < 2 ||
  isInDate(segment, token) ||
  [NOISE, UNIT_WORDS, SIDE_WORDS, COMPANY_FORMS].some((words) => words.has(token.text)) ||
  kindsOf(token.text).size > 0 ||
  isFilling(token.text) ||
  isWorkWord(token.text);

/** Whether the word has a capital letter; where no word has one, or has nothing else, that tells nothing. */
const isLikeName = ({ name }: Segment, { start, end }: Token): boolean => {
  if (!/\p{Lu}/u.test(name)) return true;
  const isCapital = /^\p{Lu}/u.test(name.slice(start));
  // "FDV" and "EICR" are abbreviations.
  const isAllCapitals = !/\p{Ll}/u.test(name.slice(start, end));
  return isCapital && (!isAllCapitals || !/\p{Ll}/u.test(name));
};

/** Whether `word` is, shortened or misspelt, a word of the assignment's address, city, customer or performer. */
const isOf = ({ target, city, first, last, performer, performerWhole }: ReadTarget, word: string): boolean =>
  foldedWords(target.Address).includes(word) ||
  [city, first, last, performer, performerWhole].some(
    (known) =>
      (word.length > 2 && known.includes(word)) ||
      isShortFor(word, known) ||
      mistakesBetween(word, known, mistakesAllowed(known.length)) <= mistakesAllowed(known.length),
  );

/** "Sthlm" for Stockholm: some of its letters, in order, from the first one on. */
const isShortFor = (word: string, known: string): boolean => {
  if (word.length > LONGEST_SHORT || word[0] !== known[0]) return false;
  let at = 0;
  for (const letter of known) if (letter === word[at]) at += 1;
  return at === word.length;
};

const LONGEST_SHORT = 5;
