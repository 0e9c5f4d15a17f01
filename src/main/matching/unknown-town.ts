/** Towns that no list knows, told by where they stand and how they are written: "Via Roma 12 Cantalupo". */
import type { ReadTarget } from './match-target.ts';
import { overlap, type PathEvidence, type Place, type StreetMention } from './name-evidence.ts';
import type { NumberBeside, Segment } from './name-segment.ts';
import { mistakesAllowed, mistakesBetween } from './near-strings.ts';
import { foldedWords } from './tokens.ts';

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
  const { numberSegment, numberDepth, span, behind, front } = mention;
  const isHere = numberDepth === mention.depth;
  const end = Math.max(behind?.to ?? 0, isHere ? span.to : 0);
  const start = Math.min((isHere ? front?.from : undefined) ?? span.from, span.from);
  const isKnown = ({ segment, depth, span: { from, to } }: Place): boolean => {
    const word = segment.tokens[from]?.text ?? '';
    const isMentioned = [path.performers, path.streets, path.cities].some((known) =>
      known.some((other) => overlap(other, { segment, depth, span: { from, to } })),
    );
    return isMentioned || isPerson(word) || isOf(read, word);
  };
  const isTown = (place: Place): boolean => isLikeName(place) && !isKnown(place);
  const letter = read.address?.house?.letter;
  const [first] = tellingIn(numberSegment, numberDepth, (at) => at >= end);
  if (first !== undefined && isTown(first) && !isBehindInitial(first, behind, letter)) return first;
  // "Cantalupo/Via Roma/12": a folder for each town and street.
  const above = isHere || mention.depth < 2 ? undefined : path.segments[mention.depth - 1];
  const before =
    above === undefined
      ? tellingIn(mention.segment, mention.depth, (at) => at < start)
      : tellingIn(above, mention.depth - 1, () => true);
  const unknown = before.filter((place) => !isKnown(place));
  return unknown.length <= MOST_WORDS && unknown.every(isLikeName) ? unknown[0] : undefined;
};

const tellingIn = (segment: Segment, depth: number, isIn: (at: number) => boolean): readonly Place[] =>
  segment.telling
    .filter((at) => isIn(at) && !isAbbreviation(segment, at))
    .map((at) => ({ segment, depth, span: { from: at, to: at + 1 } }));

/** "FDV" and "EICR": capitals in a name that has small letters as well. */
const isAbbreviation = ({ name, tokens }: Segment, at: number): boolean =>
  /\p{Ll}/u.test(name) && !/\p{Ll}/u.test(name.slice(tokens[at]?.start, tokens[at]?.end));

/** "K. Hansen" is a person, "97A Hansen" may be a town: there the letter is the house's. */
const isBehindInitial = (
  { segment: { tokens }, span: { from } }: Place,
  number: NumberBeside | undefined,
  letter: string | undefined,
): boolean => {
  const initial = tokens[from - 1];
  const isLetter = initial !== undefined && !initial.isNumber && initial.text.length === 1;
  const isOfHouse = number?.to === from && (number.isGlued || number.house.letter === letter);
  return isLetter && !isOfHouse;
};

/** More words before an address are hardly a town. */
const MOST_WORDS = 2;

/** Whether the word has a capital letter; where no word has one, or has nothing else, that tells nothing. */
const isLikeName = ({ segment: { name, tokens }, span: { from } }: Place): boolean =>
  !/\p{Lu}/u.test(name) || /^\p{Lu}/u.test(name.slice(tokens[from]?.start));

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
  if (word.length < 3 || word.length > LONGEST_SHORT || word[0] !== known[0]) return false;
  let at = 0;
  for (const letter of known) if (letter === word[at]) at += 1;
  return at === word.length;
};

const LONGEST_SHORT = 5;
