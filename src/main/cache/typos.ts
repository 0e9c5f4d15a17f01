/** Words that were typed with one mistake: a letter too many, too few, another one, or two in the wrong order. */

/** `word` as the index has it: without case and accents. */
export const folded = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether a mistake in `word` can be told from another word: a short one or a number is near to too many. */
export const isCorrectable = (word: string): boolean => /^\p{L}{4,40}$/u.test(word);

/** Whether `known`, from `knownAt` on, begins with the rest of `typed` from `typedAt` on. Compares in place: it runs for each known word. */
const goesOn = (typed: string, typedAt: number, known: string, knownAt: number): boolean => {
  if (known.length - knownAt < typed.length - typedAt) return false;
  for (let at = typedAt; at < typed.length; at += 1) if (typed[at] !== known[at - typedAt + knownAt]) return false;
  return true;
};

/**
 * The beginning of `known` that is one mistake away from `typed`; undefined where there is none, or `known` begins with
 * `typed`. Both folded. Typing may go on: a mistake in the last letter counts only where `known` ends there.
 */
export const correctedBeginning = (typed: string, known: string): string | undefined => {
  const { length } = typed;
  let at = 0;
  while (at < length && typed[at] === known[at]) at += 1;
  if (at === length) return undefined;
  if (goesOn(typed, at, known, at + 1)) return known.slice(0, length + 1);
  const endsWell = (knownLength: number): boolean => at < length - 1 || known.length === knownLength;
  if (goesOn(typed, at + 1, known, at + 1) && endsWell(length)) return known.slice(0, length);
  if (goesOn(typed, at + 1, known, at) && endsWell(length - 1)) return known.slice(0, length - 1);
  const isSwapped = typed[at] === known[at + 1] && typed[at + 1] === known[at] && goesOn(typed, at + 2, known, at + 2);
  return isSwapped && at < length - 1 ? known.slice(0, length) : undefined;
};
