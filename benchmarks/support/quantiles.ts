/** Quantiles of samples in milliseconds. `over50Ms`: the number of samples that a user notices. */
export type Quantiles = {
  readonly samples: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly over50Ms: number;
};

/** Computes quantiles by the nearest-rank method. */
export const quantiles = (samples: readonly number[]): Quantiles => {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number): number => Number(sorted[Math.ceil(share * sorted.length) - 1]?.toFixed(2));
  return {
    samples: sorted.length,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    maxMs: at(1),
    over50Ms: sorted.filter((sample) => sample > 50).length,
  };
};

export const timed = (work: () => unknown): number => {
  const begun = performance.now();
  work();
  return performance.now() - begun;
};
