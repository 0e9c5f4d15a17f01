/** How much a run of the benchmarks measures. */
export type Scale = {
  readonly rounds: number;
  /** Smaller work, for trying a change out: its figures are none to keep. */
  readonly quick: boolean;
};
