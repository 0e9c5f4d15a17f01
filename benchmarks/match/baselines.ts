/** Two simple ways of matching, for comparison. */
import { folded } from '../../src/main/matching/names.ts';
import type { Folder } from './folders.ts';
import { type Judged, qualityOf } from './measure.ts';
import type { World } from './world.ts';

type Set_ = { readonly world: World; readonly folders: readonly Folder[] };

/**
 * Sends folders whose path contains the complete id of an assignment or of its facility, if that leads to exactly one
 * assignment.
 */
export const byIdsAlone = ({ world, folders }: Set_): readonly Judged[] => {
  const byId = new Map<string, string[]>();
  for (const { target } of world.jobs)
    for (const id of [target.AssignmentId, target.FacilityId])
      byId.set(id.toLowerCase(), [...(byId.get(id.toLowerCase()) ?? []), target.AssignmentId]);
  return folders.map((folder) => {
    const words = folder.path.toLowerCase().split(/[ /_,]+/);
    const found = new Set(words.flatMap((word) => byId.get(word) ?? []));
    const best = found.size === 1 ? [...found][0] : undefined;
    return { folder, decision: best === undefined ? 'none' : 'send', best, certainty: best === undefined ? 0 : 1 };
  });
};

const wordsOf = (text: string): readonly string[] => [...new Set(folded(text).match(/[\p{L}\p{N}]+/gu) ?? [])].sort();

/** The longest common subsequence of two strings, as a share of both: 2·l / (a + b). */
const ratio = (one: string, other: string): number => {
  let row = new Uint16Array(other.length + 1);
  for (let i = 1; i <= one.length; i += 1) {
    const next = new Uint16Array(other.length + 1);
    for (let j = 1; j <= other.length; j += 1)
      next[j] = one[i - 1] === other[j - 1] ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0);
    row = next;
  }
  return one.length + other.length === 0 ? 0 : (2 * (row[other.length] ?? 0)) / (one.length + other.length);
};

/** The token-set ratio compares the shared words with each side, so that extra words on one side do not count. */
const tokenSetRatio = (one: readonly string[], other: readonly string[]): number => {
  const shared = one.filter((word) => other.includes(word));
  const both = shared.join(' ');
  const left = [...shared, ...one.filter((word) => !shared.includes(word))].join(' ');
  const right = [...shared, ...other.filter((word) => !shared.includes(word))].join(' ');
  return shared.length === 0 ? ratio(left, right) : Math.max(ratio(both, left), ratio(both, right), ratio(left, right));
};

/** The maximum number of folders of a set that are compared, because the comparison is slow. */
const COMPARED = 500;

/**
 * Sends each folder to the address with the best ratio, if that ratio reaches a threshold and no other address has the
 * same one. The threshold is the one with the highest recall for a precision of 0.995 or, if none has this precision,
 * the one with the highest product of precision and recall.
 */
export const byFuzzyRatio = (sets: readonly Set_[]): readonly Judged[] => {
  const all = sets.flatMap(({ world, folders }) => {
    const targets = world.jobs.slice(0, 3000).map(({ target }) => ({
      id: target.AssignmentId,
      words: wordsOf(`${target.Address} ${target.City}`),
    }));
    return folders.slice(0, COMPARED).map((folder) => {
      const words = wordsOf(folder.path.replace(/^Jobs\//, ''));
      const ranked = targets
        .filter((target) => target.words.some((word) => words.includes(word)))
        .map(({ id, words: its }) => ({ id, ratio: tokenSetRatio(words, its) }))
        .sort((one, other) => other.ratio - one.ratio);
      const [best, second] = ranked;
      return { folder, best: best?.id, ratio: best?.ratio ?? 0, isTied: best?.ratio === second?.ratio };
    });
  });
  const at = (threshold: number): readonly Judged[] =>
    all.map(({ folder, best, ratio: certainty, isTied }) => ({
      folder,
      best,
      certainty,
      decision: best !== undefined && certainty >= threshold && !isTied ? 'send' : 'ask',
    }));
  const tried = Array.from({ length: 51 }, (_, step) => at(0.5 + step / 100)).map((judged) => ({
    judged,
    ...qualityOf(judged),
  }));
  const precise = tried.filter(({ precision, sent }) => precision >= 0.995 && sent > 0);
  const best =
    precise.length > 0
      ? precise.reduce((one, other) => (other.recall > one.recall ? other : one))
      : tried.reduce((one, other) => (other.precision * other.recall > one.precision * one.recall ? other : one));
  return best.judged;
};
