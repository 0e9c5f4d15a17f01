/** How much a run of the benchmarks measures. */
export type Scale = {
  readonly rounds: number;
  /** Less work, for trying out a change; its figures are not recorded. */
  readonly quick: boolean;
};
