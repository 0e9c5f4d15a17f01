/** Measures several contenders in turn, so that a change in the machine's speed affects all of them. */

/** A contender of a case. `run` resolves to its time in seconds. */
export type Contender = { readonly name: string; readonly run: () => Promise<number> };

/** A measured or derived figure. `atMost`, `atLeast`: its goal. */
export type Figure = {
  readonly what: string;
  readonly value: number;
  readonly unit: 's' | '%' | '×' | 'MB' | 'ms' | 'µs' | 'bytes';
  /** The results of the rounds; `value` is their median. */
  readonly samples?: readonly number[];
  readonly atMost?: number;
  readonly atLeast?: number;
};

export type CaseResult = { readonly name: string; readonly title: string; readonly figures: readonly Figure[] };

/**
 * Runs each contender once in each round. Resolves to the seconds of each contender, by its name. Each round begins
 * with a different contender.
 */
export const alternate = async (
  contenders: readonly Contender[],
  rounds: number,
): Promise<ReadonlyMap<string, readonly number[]>> => {
  const samples = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const contender = contenders[(round + turn) % contenders.length];
      if (contender) samples.get(contender.name)?.push(await contender.run());
    }
  }
  return samples;
};

export const median = (samples: readonly number[]): number => {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
};

export const figure = (what: string, unit: Figure['unit'], samples: readonly number[], atMost?: number): Figure => ({
  what,
  unit,
  value: median(samples),
  samples,
  ...(atMost !== undefined && { atMost }),
});

export const ratio = (
  what: string,
  samples: readonly number[] = [],
  peers: readonly number[] = [],
  atMost?: number,
): Figure => ({
  what,
  unit: '×',
  value: median(samples) / median(peers),
  ...(atMost !== undefined && { atMost }),
});

export const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const beganMs = performance.now();
  await work();
  return (performance.now() - beganMs) / 1000;
};
