/** Finds inspection points by words of their texts. */
import type { InspectionPoint } from '../../contract/resources.ts';
import { folded, wordsIn } from '../../contract/search.ts';

/** The points in which each word of `text` begins a word of some text, without regard to case and accents. Without words: all. */
export const pointsWith = (points: readonly InspectionPoint[], text: string): readonly InspectionPoint[] => {
  const wanted = wordsIn(text).map(folded);
  if (wanted.length === 0) return points;
  return points.filter(({ ProtocolInspectionPointId: _, HasImage: __, ...texts }) => {
    const there = Object.values(texts).flatMap(wordsIn).map(folded);
    return wanted.every((word) => there.some((one) => one.startsWith(word)));
  });
};
