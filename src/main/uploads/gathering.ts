/** Gathers what has to be done for many, where doing it costs the same for one of them and for all. */
export type Gathering<T> = {
  /** Given away at the end of this turn of the event loop. */
  readonly soon: (one: T) => void;
  /** Given away with the next one that comes soon, or in a moment without. */
  readonly along: (one: T) => void;
};

const MOMENT_MS = 10;

/** `give` gets all that has come since it was called last, in order. */
export const createGathering = <T>(give: (all: readonly T[]) => void): Gathering<T> => {
  let all: T[] = [];
  let turn: NodeJS.Immediate | undefined;
  let moment: NodeJS.Timeout | undefined;
  const giveAll = (): void => {
    clearImmediate(turn);
    clearTimeout(moment);
    turn = undefined;
    moment = undefined;
    const gathered = all;
    all = [];
    give(gathered);
  };
  return {
    soon: (one) => {
      all.push(one);
      turn ??= setImmediate(giveAll);
    },
    along: (one) => {
      all.push(one);
      moment ??= setTimeout(giveAll, MOMENT_MS);
    },
  };
};
