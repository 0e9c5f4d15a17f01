/** Words typed with one mistake: a letter added, missing, replaced, or two letters swapped. */

/** Whether `word` can be corrected. A short word or a number is similar to too many others. */
export const isCorrectable = (word: string): boolean => /^\p{L}{4,40}$/u.test(word);

/** Whether `known`, from `knownAt` on, begins with the rest of `typed` from `typedAt` on. Compares in place, because it runs for each known word. */
const goesOn = (typed: string, typedAt: number, known: string, knownAt: number): boolean => {
  if (known.length - knownAt < typed.length - typedAt) return false;
  for (let at = typedAt; at < typed.length; at += 1) if (typed[at] !== known[at - typedAt + knownAt]) return false;
  return true;
};

/**
 * The beginning of `known` that is one mistake away from `typed`; undefined without one, or if `known` begins with
 * `typed`. Both are folded. The person may still be typing, so a mistake in the last letter counts only at the end of `known`.
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
