/** What a path says of the city and the ZIP code of one assignment. */
import type { ReadTarget } from './match-target.ts';
import {
  isPlace,
  nearWord,
  overlap,
  type PathEvidence,
  type Place,
  type StreetMention,
  wordIn,
} from './name-evidence.ts';
import { NOISE } from './name-words.ts';
import { type Found, found } from './street-evidence.ts';
import { unknownTown } from './unknown-town.ts';
import { zipShape } from './zip-codes.ts';

/** What the path says of the city of an assignment. `isPerson`: whether a word is somebody's name. */
export const cityEvidence = (
  path: PathEvidence,
  read: ReadTarget,
  mention: StreetMention | undefined,
  isPerson: (word: string) => boolean,
): readonly Found[] => {
  const { city, first, last } = read;
  // A city that is a part of the street's or the person's name is none.
  const said = path.cities.filter(
    (place) =>
      !(mention !== undefined && overlap(place, mention)) &&
      (place.city === city || (place.city !== last && place.city !== first)),
  );
  const deepest = Math.max(-1, ...said.map(({ depth }) => depth));
  const here = said.filter(({ depth }) => depth === deepest);
  const same = here.find((place) => place.city === city);
  if (same !== undefined) return [found('city', same)];
  const near = city.length < 5 ? undefined : nearWord(path, city, mention);
  if (near !== undefined) return [found('city-typo', near)];
  // A longer name with the city's in it, such as "Bergen kommune", is the city; so is a part of one.
  const other = here[0];
  if (other !== undefined && city !== '') return [found(other.isNear ? 'city-other-typo' : 'city-other', other)];
  if (mention === undefined) return [];
  // Where the list has the towns, hardly one that it lacks has the only street of its name, and a house with that number; but there
  // is an "Old Rectory" in many.
  const isAlone = mention.hit.street.cities < 2;
  if (isAlone && isPlace(city) && read.address?.named === undefined) return [found('city-missing')];
  const missing = found(isAlone ? 'city-missing' : 'city-missing-common');
  const isSaid = city === '' || (read.zip.length > 2 && wordIn(path, read.zip) !== undefined);
  const town = isSaid ? undefined : unknownTown(path, read, mention, isPerson);
  return town === undefined ? [missing] : [missing, found('city-unknown', town)];
};

/** What the path says of the ZIP code of an assignment. */
export const zipEvidence = (
  path: PathEvidence,
  { zip, target }: ReadTarget,
  mention: StreetMention | undefined,
): readonly Found[] => {
  const place = zip.length < 3 ? undefined : wordIn(path, zip);
  if (place !== undefined) return [found('zip', place)];
  const written = target.ZipCode ?? '';
  const other = otherZip(path, written, mention);
  if (other !== undefined) return [found('zip-other', other)];
  // As it is written: "00520" has five digits.
  const { length } = written.replaceAll(/\s/g, '');
  if (!/^[\d\s]*$/.test(written) || length < 4 || length > 5) return [];
  // A number of the same length right before or after a city is another ZIP code.
  for (const { segment, depth, span } of path.cities)
    for (const at of [span.from - 1, span.to]) {
      const token = segment.tokens[at];
      const gap = segment.tokens[Math.max(at, span.from)]?.gap ?? '';
      const isGlued = (at > 0 && token?.gap === '') || segment.tokens[at + 1]?.gap === '';
      if (token?.isNumber && !isGlued && token.end - token.start === length && /^[ ,_]*$/.test(gap)) {
        const isDate = segment.dates.some(({ start, end }) => token.start < end && token.end > start);
        if (!isDate) return [found('zip-other', { segment, depth, span: { from: at, to: at + 1 } })];
      }
    }
  const behind = mention && length === 5 ? zipBehind(mention) : undefined;
  return behind === undefined ? [] : [found('zip-other', behind)];
};

/** A code that is written like `zip` and stands beside the address. */
const otherZip = ({ segments }: PathEvidence, zip: string, mention: StreetMention | undefined): Place | undefined => {
  for (const [depth, segment] of segments.entries())
    for (const { span, shape } of segment.codes) {
      const number = mention?.numberDepth === depth ? (mention.behind ?? mention.front) : undefined;
      const isAddress = number !== undefined && span.from < number.to && span.to > number.from;
      if (!isAddress && shape !== '' && shape === zipShape(zip)) return { segment, depth, span };
    }
  return undefined;
};

/** Five digits and a name right behind the address are the ZIP code of a town, known or not: "Corso Europa 135 - 51417 Pandino". */
const zipBehind = ({ behind, numberSegment: segment, numberDepth: depth }: StreetMention): Place | undefined => {
  const at = behind?.to ?? segment.tokens.length;
  const [zip, town] = [segment.tokens[at], segment.tokens[at + 1]];
  if (zip === undefined || town === undefined || !zip.isNumber || zip.end - zip.start !== 5) return undefined;
  const isTown = /^\p{Lu}/u.test(segment.name.slice(town.start)) && !NOISE.has(town.text);
  const isBeside = /^[\s,_–-]+$/.test(zip.gap) && /^[ _]$/.test(town.gap);
  return isTown && isBeside ? { segment, depth, span: { from: at, to: at + 1 } } : undefined;
};
