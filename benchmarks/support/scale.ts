/** How much a run of the benchmarks measures. */
export type Scale = {
  readonly rounds: number;
  /** Whether to do less work, for trying out a change. The figures are then not recorded. */
  readonly quick: boolean;
};
