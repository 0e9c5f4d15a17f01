/** Towns that no list knows, told by where they stand and how they are written: "Via Roma 12 Cantalupo". */
import type { ReadTarget } from './match-target.ts';
import { overlap, type PathEvidence, type Place, type StreetMention } from './name-evidence.ts';
import type { NumberBeside, Segment } from './name-segment.ts';
import { mistakesAllowed, mistakesBetween } from './near-strings.ts';
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
  const placeAt = (at: number): Place => ({ segment, depth, span: { from: at, to: at + 1 } });
  const isTown = (place: Place): boolean => {
    const word = segment.tokens[place.span.from];
    if (word === undefined || !isLikeName(segment, word) || isPerson(word.text)) return false;
    if (isBehindInitial(segment, place.span.from, behind) || isOf(read, word.text)) return false;
    return ![path.performers, path.streets, path.cities].some((known) => known.some((other) => overlap(other, place)));
  };
  const first = segment.telling.find((at) => at >= end);
  if (first !== undefined && isTown(placeAt(first))) return placeAt(first);
  const before = segment.telling.filter((at) => at < start).map(placeAt);
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
  [city, first, last, performer, performerWhole].some(
    (known) =>
      (word.length > 2 && known.includes(word)) ||
      isShortFor(word, known) ||
      mistakesBetween(word, known, mistakesAllowed(known.length)) <= mistakesAllowed(known.length),
  ) || foldedWords(target.Address).includes(word);

/** "Sthlm" for Stockholm: some of its letters, in order, from the first one on. */
const isShortFor = (word: string, known: string): boolean => {
  if (word.length > LONGEST_SHORT || word[0] !== known[0]) return false;
  let at = 0;
  for (const letter of known) if (letter === word[at]) at += 1;
  return at === word.length;
};

const LONGEST_SHORT = 5;
