/** For tests: a clock that the test moves. */

/** Creates a clock that moves only by `advance` and `sleep`. `slept`: the duration of each sleep, in ms. */
export const createTestClock = (startMs = 0) => {
  let nowMs = startMs;
  const slept: number[] = [];
  return {
    slept,
    now: () => nowMs,
    advance: (ms: number) => {
      nowMs += ms;
    },
    sleep: async (ms: number) => {
      slept.push(ms);
      nowMs += ms;
    },
  };
};
