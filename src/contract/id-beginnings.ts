/** Ids as people paste them: with spaces, in quotes or braces, with another dash, without dashes, or only their beginning. */

/** Shorter beginnings would find records at random. */
const SHORTEST = 4;

/** The beginnings of ids that `text` may be, without other characters; none if it is too short. */
export const idBeginnings = (text: string): readonly string[] => {
  const bare = text.replace(/[\s\p{C}{}()[\]<>"'`“”‘’«»]/gu, '').replace(/\p{Pd}/gu, '-');
  if (bare.length < SHORTEST) return [];
  const isBareGuid = /^[0-9a-f]{9,32}$/i.test(bare);
  return isBareGuid ? [bare, withDashes(bare)] : [bare];
};

/** The digits of a GUID, or its first ones, in their groups. */
const withDashes = (digits: string): string =>
  [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)]
    .filter((group) => group !== '')
    .join('-');
