/** What a path says of one assignment, as features for the model. */
import { type DateMention, dateFit } from './date-mentions.ts';
import type { ReadTarget } from './match-target.ts';
import { nearWord, overlap, type PathEvidence, type Place, type StreetMention, wordIn } from './name-evidence.ts';
import { wordsOfSpan } from './name-segment.ts';
import { cityEvidence, zipEvidence } from './place-evidence.ts';
import type { Rule } from './rules.ts';
import { bestStreet, type Found, found, unitEvidence } from './street-evidence.ts';
import { type Feature, WEIGHTS } from './weights.ts';

/** What an assignment is told by, besides the path. */
type Surroundings = {
  /** How many of the assignments would have this person's name by chance. */
  readonly namesakes: (target: ReadTarget) => number;
  /** Whether a word is the last name of anybody. */
  readonly isLastName: (word: string) => boolean;
  /** Whether a word is the first or last name of anybody. */
  readonly isPerson: (word: string) => boolean;
  readonly ids: ReadonlyMap<number, readonly IdMention[]>;
  /** The rule for the folder, where there is one. */
  readonly rule: Pick<Rule, 'name' | 'AssignmentId'> | undefined;
};

export type IdMention = Place & { readonly feature: Feature };

export type Evidence = {
  readonly features: readonly Feature[];
  readonly found: readonly Found[];
  /** The deepest name of the path that points to the assignment; -1 for none. */
  readonly deepest: number;
};

export const WHOLE_IDS: ReadonlySet<Feature> = new Set<Feature>(['assignment-id', 'protocol-id', 'facility-id']);

/** Whether it is a whole id that nothing else is written like: one of digits alone may be the number of a job. */
const isUnmistakable = ({ feature, segment, span }: IdMention): boolean =>
  WHOLE_IDS.has(feature) && /\p{L}/u.test(wordsOfSpan(segment, span));

/** The depth of the deepest folder whose name has an unmistakable id; -1 without one. `folders`: how many names are those of folders. */
export const idDepth = (ids: Surroundings['ids'], folders: number): number => {
  const mentions = [...ids.values()].flat().filter((mention) => isUnmistakable(mention) && mention.depth < folders);
  return Math.max(-1, ...mentions.map(({ depth }) => depth));
};

/**
 * Weighs `path` for the target at `position`. `below`: the path from the deepest unmistakable id on. What stands above that can speak
 * for the target of an id, and says nothing else: the folder around it may have any name.
 */
export const evidenceFor = (
  path: PathEvidence,
  below: PathEvidence,
  read: ReadTarget,
  position: number,
  surroundings: Surroundings,
): Evidence => {
  const here = foundIn(below, read, position, surroundings);
  const hasId = surroundings.ids.get(position)?.some(isUnmistakable) === true;
  const own =
    path === below || !hasId
      ? here
      : [
          ...foundIn(path, read, position, surroundings).filter(({ feature }) => WEIGHTS[feature] >= 0),
          ...here.filter(({ feature }) => WEIGHTS[feature] < 0),
        ];
  const features = [...new Set(own.map(({ feature }) => feature))];
  return {
    features,
    found: own,
    deepest: Math.max(-1, ...own.map(({ feature, place }) => (place && TELLING.has(feature) ? place.depth : -1))),
  };
};

const foundIn = (
  path: PathEvidence,
  read: ReadTarget,
  position: number,
  { ids, rule, namesakes, isLastName, isPerson }: Surroundings,
): readonly Found[] => {
  const mentions = (ids.get(position) ?? []).filter(({ depth }) => depth >= path.from);
  const ofIds = mentions.map((mention) => found(mention.feature, mention));
  const street = bestStreet(path, read);
  const ofStreet = street?.found ?? [];
  const isHere = ofStreet.some(({ feature }) => FITS.has(feature));
  return [
    ...ofIds,
    ...(ids.size > 0 && !ids.has(position) ? [found('id-other')] : []),
    ...(rule === undefined ? [] : [confirmedBy(rule, read)]),
    ...ofStreet,
    ...(isHere && street !== undefined ? unitEvidence(path, read, street.mention) : []),
    ...otherAddress(path, street?.mention, isHere),
    ...cityEvidence(path, read, street?.mention, isPerson),
    ...zipEvidence(path, read, street?.mention),
    ...personEvidence(path, read, street?.mention, street?.mention ?? mentions[0], {
      namesakes,
      isLastName,
    }),
    ...performerEvidence(path, read, street?.mention),
    ...dateEvidence(path, read),
  ];
};

const confirmedBy = ({ name, AssignmentId }: Pick<Rule, 'name' | 'AssignmentId'>, { target }: ReadTarget): Found =>
  AssignmentId === target.AssignmentId ? { feature: 'confirmed', words: name } : found('confirmed-other');

const FITS: ReadonlySet<Feature> = new Set<Feature>([
  ...(['house', 'house-letter-loose', 'house-detached', 'house-letter-missing', 'house-range', 'no-house'] as const),
]);
/** Features by which a name points to an assignment. */
const TELLING: ReadonlySet<Feature> = new Set<Feature>([
  ...([
    'assignment-id',
    'assignment-id-part',
    'protocol-id',
    'protocol-id-part',
    'facility-id',
    'facility-id-part',
  ] as const),
  ...([
    'street',
    'street-typo',
    'house',
    'house-letter-missing',
    'house-range',
    'no-house',
    'person',
    'person-rare',
  ] as const),
]);

const otherAddress = (path: PathEvidence, mention: StreetMention | undefined, isHere: boolean): readonly Found[] => {
  const isOther = (place: Place): boolean =>
    !isHere || mention === undefined || place.depth > Math.max(mention.depth, mention.numberDepth);
  const other = path.addresses.findLast(
    (place) => isOther(place) && !(mention !== undefined && overlap(place, mention)),
  );
  return other === undefined ? [] : [found('address-other', other)];
};

const personEvidence = (
  path: PathEvidence,
  read: ReadTarget,
  mention: StreetMention | undefined,
  beside: Place | undefined,
  { namesakes, isLastName }: Pick<Surroundings, 'namesakes' | 'isLastName'>,
): readonly Found[] => {
  const { first, last } = read;
  const family = last.length > 1 ? wordIn(path, last, mention) : undefined;
  const given = first.length > 1 ? wordIn(path, first, mention) : undefined;
  if (family !== undefined && given !== undefined && family.depth === given.depth) {
    const span = { from: Math.min(family.span.from, given.span.from), to: Math.max(family.span.to, given.span.to) };
    return [found(namesakes(read) < 0.2 ? 'person-rare' : 'person', { ...family, span })];
  }
  if (family !== undefined) {
    const { segment, span } = family;
    const initial = [segment.tokens[span.from - 1], segment.tokens[span.to]].some(
      (token) => token !== undefined && token.text.length === 1 && token.text === first[0],
    );
    return [found(initial ? 'person-initial' : 'person-last', family)];
  }
  const typo = last.length < 6 ? undefined : nearWord(path, last, mention);
  if (given !== undefined) return typo === undefined ? [found('person-first', given)] : [found('person', given)];
  const other = beside === undefined ? undefined : otherLastName(path, beside, mention, isLastName);
  return other === undefined || last === '' ? [] : [found('person-other', other)];
};

/** Somebody else's last name in the names that point to the assignment. */
const otherLastName = (
  { performers, cities }: PathEvidence,
  { segment, depth }: Place,
  mention: StreetMention | undefined,
  isLastName: (word: string) => boolean,
): Place | undefined =>
  segment.spans
    .filter(({ text, from, to }) => text.length > 3 && to - from < 3 && isLastName(text))
    .map((span) => ({ segment, depth, span }))
    .find((place) => ![...(mention ? [mention] : []), ...performers, ...cities].some((other) => overlap(place, other)));

const performerEvidence = (
  { performers }: PathEvidence,
  { performer }: ReadTarget,
  mention: StreetMention | undefined,
): readonly Found[] => {
  // "Harbour" in Harbour Street is not Harbour Maintenance.
  const said = performers.filter((place) => mention === undefined || !overlap(place, mention));
  const same = said.find((place) => place.performer === performer);
  if (same !== undefined) return [found('performer', same)];
  return performer === '' ? [] : said.slice(0, 1).map((other) => found('performer-other', other));
};

const DATE_FITS = ['day', 'near', 'month', 'year', 'other'] as const;

const dateEvidence = ({ segments }: PathEvidence, { days }: ReadTarget): readonly Found[] => {
  let best: { readonly rank: number; readonly depth: number; readonly mention: DateMention } | undefined;
  for (const [depth, { dates }] of segments.entries())
    for (const mention of dates)
      for (const [at, day] of days.entries()) {
        const fit = dateFit(mention, day);
        // The day of an inspection says something, its month does not.
        const rank = at > 0 && fit !== 'day' && fit !== 'near' ? DATE_FITS.length - 1 : DATE_FITS.indexOf(fit);
        if (best === undefined || rank < best.rank) best = { rank, depth, mention };
      }
  const segment = segments[best?.depth ?? -1];
  if (best === undefined || segment === undefined) return [];
  const { mention, depth, rank } = best;
  const from = segment.tokens.findIndex(({ end }) => end > mention.start);
  const to = segment.tokens.findLastIndex(({ start }) => start < mention.end) + 1;
  return [found(`date-${DATE_FITS[rank] ?? 'other'}`, { segment, depth, span: { from: Math.max(0, from), to } })];
};
