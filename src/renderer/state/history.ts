/** Back and forward through places, as in a browser, kept in memory. */
import { type Place, placeKey, sectionOf } from './places.ts';

export type History = {
  /** Oldest first: the last is where "back" leads. */
  readonly back: readonly Place[];
  readonly place: Place;
  /** Nearest first: the first is where "forward" leads. */
  readonly forward: readonly Place[];
};

const longest = 50;

export const startHistory: History = { back: [], place: { name: 'protocols' }, forward: [] };

/** Begins at `place`; "back" leads from a page to its list. */
export const beginAt = (place: Place): History => {
  const section = sectionOf(place);
  const isList = section === undefined || placeKey({ name: section }) === placeKey(place);
  return { back: isList ? [] : [{ name: section }], place, forward: [] };
};

/** `history` after opening `place`; opening the current place adds no step. */
export const opened = (history: History, place: Place): History =>
  placeKey(place) === placeKey(history.place)
    ? { ...history, place }
    : { back: [...history.back, history.place].slice(-longest), place, forward: [] };

/** `history` after one step back; unchanged at its start. */
export const steppedBack = (history: History): History => {
  const place = history.back.at(-1);
  if (place === undefined) return history;
  return { back: history.back.slice(0, -1), place, forward: [history.place, ...history.forward] };
};

/** `history` after one step forward; unchanged at its end. */
export const steppedForward = (history: History): History => {
  const [place, ...forward] = history.forward;
  if (place === undefined) return history;
  return { back: [...history.back, history.place], place, forward };
};

/**
 * The places whose pages stay mounted, so that going back shows a list as it was left: the `count` nearest in the history.
 * Their order does not depend on the current place.
 */
export const keptPlaces = (history: History, count: number): readonly Place[] => {
  const nearest = [history.place, ...history.back.toReversed(), ...history.forward];
  const byKey = new Map<string, Place>();
  for (const place of nearest) {
    if (byKey.size === count) break;
    if (!byKey.has(placeKey(place))) byKey.set(placeKey(place), place);
  }
  return [...byKey.values()].sort((a, b) => (placeKey(a) < placeKey(b) ? -1 : 1));
};
