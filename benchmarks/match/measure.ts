/**
 * Measures for a set of folders how many were matched correctly and incorrectly, and how reliable the certainties were.
 */
import type { Folder } from './folders.ts';

/**
 * A folder with the decision about it. `best`: the best candidate, if any. `certainty`: how certain that candidate is.
 */
export type Judged = {
  readonly folder: Folder;
  readonly decision: 'send' | 'ask' | 'none';
  readonly best: string | undefined;
  readonly certainty: number;
};

export type Quality = {
  readonly folders: number;
  /** The share of the sent folders that were sent to the right assignment. */
  readonly precision: number;
  /** The share of the folders with a determinable assignment (`isDeterminable`) that were sent to it. */
  readonly recall: number;
  /** The share of all folders that the user is asked about. */
  readonly asked: number;
  /** The share of the folders without an assignment that were sent. */
  readonly foreignSent: number;
  readonly sent: number;
  readonly wrong: number;
  readonly determinable: number;
};

const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

export const qualityOf = (judged: readonly Judged[]): Quality => {
  const sent = judged.filter(({ decision }) => decision === 'send');
  const right = sent.filter(({ folder, best }) => folder.truth !== undefined && folder.truth === best);
  const determinable = judged.filter(({ folder }) => folder.isDeterminable);
  const foreign = judged.filter(({ folder }) => folder.truth === undefined);
  return {
    folders: judged.length,
    precision: share(right.length, sent.length),
    recall: share(right.filter(({ folder }) => folder.isDeterminable).length, determinable.length),
    asked: share(judged.filter(({ decision }) => decision === 'ask').length, judged.length),
    foreignSent:
      foreign.length === 0 ? 0 : foreign.filter(({ decision }) => decision === 'send').length / foreign.length,
    sent: sent.length,
    wrong: sent.length - right.length,
    determinable: determinable.length,
  };
};

export type Bin = {
  readonly from: number;
  readonly to: number;
  readonly mean: number;
  readonly observed: number;
  readonly count: number;
};

/**
 * Sorts the matches into ten bins by their certainty. Returns for each bin the mean certainty and how often the match
 * was correct. `error`: the mean difference between the two, over all matches.
 */
export const reliabilityOf = (judged: readonly Judged[]): { readonly bins: readonly Bin[]; readonly error: number } => {
  const all = judged.filter(({ best }) => best !== undefined);
  const bins = Array.from({ length: 10 }, (_, at) => {
    const inside = all.filter(({ certainty }) => Math.min(9, Math.floor(certainty * 10)) === at);
    const count = inside.length;
    return {
      from: at / 10,
      to: (at + 1) / 10,
      count,
      mean: share(
        inside.reduce((sum, { certainty }) => sum + certainty, 0),
        count,
      ),
      observed: share(inside.filter(({ folder, best }) => folder.truth === best).length, count),
    };
  });
  const error =
    bins.reduce((sum, { mean, observed, count }) => sum + Math.abs(mean - observed) * count, 0) /
    Math.max(1, all.length);
  return { bins, error };
};

/** The quality for each group. `groupsOf`: the groups of a folder. */
export const qualityBy = (
  judged: readonly Judged[],
  groupsOf: (folder: Folder) => readonly string[],
): readonly (readonly [string, Quality])[] => {
  const groups = Map.groupBy(
    judged.flatMap((one) => groupsOf(one.folder).map((group) => ({ group, one }))),
    ({ group }) => group,
  );
  return [...groups]
    .map(([group, members]) => [group, qualityOf(members.map(({ one }) => one))] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
};
