/** What a path says of the street, the house and the flat of one assignment. */
import type { ReadTarget } from './match-target.ts';
import type { PathEvidence, Place, StreetMention } from './name-evidence.ts';
import { behindNumberAt, isNumberBehind, isOneOfSeveral, type NumberBeside } from './name-segment.ts';
import type { StreetName } from './street-words.ts';
import { behindNumber, type HouseNumber, type TargetAddress } from './target-address.ts';
import { type Feature, WEIGHTS } from './weights.ts';

/** A feature, and where the path has it; `words`: what says so, where that is not the path. */
export type Found = { readonly feature: Feature; readonly place?: Place; readonly words?: string };

export const found = (feature: Feature, place?: Place): Found =>
  place === undefined ? { feature } : { feature, place };

/** What the path says of an assignment's street and house, and where it names them. */
type StreetEvidence = { readonly mention: StreetMention; readonly found: readonly Found[] };

/** The mention of its street that speaks most for `read`; undefined without one. */
export const bestStreet = (path: PathEvidence, read: ReadTarget): StreetEvidence | undefined => {
  const { address } = read;
  if (address === undefined) return undefined;
  let best: (StreetEvidence & { readonly sum: number }) | undefined;
  for (const mention of path.streets) {
    const { street } = mention.hit;
    const isNameOfHouse = address.named !== undefined && isStreet(street.name, address.named.street);
    if (!isNameOfHouse && !isStreet(street.name, address.street)) continue;
    const { feature, place } = isNameOfHouse
      ? // There are houses of this name elsewhere.
        { feature: 'house-missing' as const, place: mention }
      : houseEvidence(path, mention, address);
    const all = [found(streetFeature(mention), mention), found(feature, place)];
    const sum = all.reduce((total, one) => total + WEIGHTS[one.feature], 0) + mention.depth / 1000;
    if (best === undefined || sum > best.sum) best = { mention, found: all, sum };
  }
  return best;
};

const isStreet = (one: StreetName, other: StreetName): boolean =>
  one.stem === other.stem &&
  one.kinds.size === other.kinds.size &&
  [...one.kinds].every((kind) => other.kinds.has(kind));

const streetFeature = ({ hit: { form, mistakes, street } }: StreetMention): Feature => {
  if (form === 'exact') return 'street';
  if (form !== 'typo') return `street-${form}`;
  if (mistakes > 1) return 'street-two-typos';
  return street.name.stem.length < 5 ? 'street-typo-short' : 'street-typo';
};

/** Which of the numbers beside a street is the house's: the one that stands closer, then the one on the side of the address. */
const chosenNumber = ({ behind, front }: StreetMention, isNumberFirst: boolean): NumberBeside | undefined => {
  if (behind === undefined || front === undefined) return behind ?? front;
  if (behind.isTight !== front.isTight) return behind.isTight ? behind : front;
  return isNumberFirst ? front : behind;
};

const houseEvidence = (
  path: PathEvidence,
  mention: StreetMention,
  address: TargetAddress,
): { readonly feature: Feature; readonly place: Place } => {
  const { house, isNumberFirst } = address;
  const number = chosenNumber(mention, isNumberFirst);
  if (number === undefined) {
    if (address.named !== undefined)
      return { feature: namesHouse(path, address.named) ? 'house' : 'house-missing', place: mention };
    if (house === undefined) return { feature: 'no-house', place: mention };
    const { segment } = mention;
    const at = segment.tokens.findIndex(
      ({ text }, token) => segment.canBeHouse[token] === true && text === house.number,
    );
    if (at < 0) return { feature: 'house-missing', place: mention };
    return { feature: 'house-detached', place: { ...mention, span: { from: at, to: at + 1 } } };
  }
  const place = {
    segment: mention.numberSegment,
    depth: mention.numberDepth,
    span: { from: number.from, to: number.to },
  };
  if (house === undefined) return { feature: 'house-unknown', place };
  const feature = isAllBehind(mention, number, address) ? 'house' : compareHouses(number, house);
  const isSeveral = feature === 'house' && address.unit === '' && isOneOfSeveral(mention.numberSegment, number);
  return { feature: isSeveral ? 'house-range' : feature, place };
};

/** Whether the name has the same number, and behind it the letter and the flat of the address, in whatever way they are parted. */
const isAllBehind = ({ numberSegment }: StreetMention, number: NumberBeside, address: TargetAddress): boolean => {
  // "12-14" are two houses, and no flat.
  const isSame = number.house.number === address.house?.number && number.house.to === '';
  const behind = isSame ? behindNumber(address) : '';
  return behind !== '' && behindNumberAt(numberSegment, number.from).includes(behind);
};

/** Whether the path has the name of a house that has no number. */
const namesHouse = ({ streets }: PathEvidence, { street }: TargetAddress): boolean =>
  streets.some(({ hit }) => hit.form !== 'part' && isStreet(hit.street.name, street));

const compareHouses = ({ house: said, isGlued }: NumberBeside, house: HouseNumber): Feature => {
  const isRange = said.to !== '' || house.to !== '';
  if (isRange && said.number === house.number && said.to === house.to) return 'house';
  if (isRange) {
    const overlaps =
      Number(said.number) <= Number(house.to || house.number) && Number(said.to || said.number) >= Number(house.number);
    return overlaps ? 'house-range' : 'house-other';
  }
  if (said.number !== house.number) return 'house-other';
  if (said.letter === house.letter) return 'house';
  if (said.letter === '') return 'house-letter-missing';
  // A letter that stands alone may be an initial.
  if (house.letter === '') return isGlued ? 'house-letter-extra' : 'house-letter-loose';
  return isGlued ? 'house-letter-other' : 'house-letter-missing';
};

/** What the path says of the flat at the address of `read`, which `mention` names. */
export const unitEvidence = (
  { segments, cities }: PathEvidence,
  { address }: ReadTarget,
  mention: StreetMention,
): readonly Found[] => {
  if (address === undefined || address.unit === '') return [];
  const said = new Set(segments.flatMap(({ units }) => [...units]));
  const number = chosenNumber(mention, address.isNumberFirst);
  if (said.has(address.unit) || (number !== undefined && isAllBehind(mention, number, address))) return [found('unit')];
  // A number with a city behind it is a ZIP code: "Storgatan 12 903 26 Umeå".
  const isAtCity = (at: number): boolean =>
    cities.some(({ depth, span }) => depth === mention.numberDepth && span.from > at && span.from <= at + 2);
  const isOther =
    said.size > 0 || (number !== undefined && isNumberBehind(mention.numberSegment, number.to) && !isAtCity(number.to));
  return [found(isOther ? 'unit-other' : 'unit-missing')];
};
