/** Long work in steps: each `yield` is a turn for other work of the thread. */
export type Steps<Result> = Generator<void, Result>;

/** Does all steps at once. */
export const finished = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

/** As many assignments are read or indexed in a few milliseconds. */
const AT_ONCE = 250;

/** Each of `all` with its place, with a turn for other work now and then. */
export function* inSteps<T>(all: Iterable<T>, each: (one: T, at: number) => void): Steps<void> {
  let at = 0;
  for (const one of all) {
    each(one, at);
    at += 1;
    if (at % AT_ONCE === 0) yield;
  }
}
