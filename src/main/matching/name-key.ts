/** What two folders' names have to share to be "the same name": their words without noise and dates. */
import { segmentOf } from './name-segment.ts';
import { NOISE } from './name-words.ts';

/**
 * The key of a folder's own name, the last of `path`: "2026-05-12 Elveveien 97, bilder" and "elveveien_97" have the same.
 * A name of nothing but noise is told by the folder above it.
 */
export const nameKey = (path: string): string => {
  const names = path.split('/').filter((name) => name !== '');
  for (let at = names.length - 1; at >= 0; at -= 1) {
    const { tokens, dates } = segmentOf(names[at] ?? '');
    const telling = tokens.filter(
      ({ text, isNumber, start, end }) =>
        !dates.some((date) => start < date.end && end > date.start) && (isNumber || !NOISE.has(text)),
    );
    if (telling.some(({ isNumber }) => !isNumber)) return telling.map(({ text }) => text).join(' ');
  }
  return names.join('/').toLowerCase();
};
