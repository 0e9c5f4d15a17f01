import { DeskError } from '../../../contract/errors.ts';

/** One at a time: each turn aborts the one before it. */
export const createTurns = (): (() => AbortSignal) => {
  let turn = new AbortController();
  return () => {
    turn.abort(new DeskError('app/cancelled', 'another one has begun'));
    turn = new AbortController();
    return turn.signal;
  };
};

/** Turns of several names, each one at a time. A name is forgotten once `work` has ended. */
export const createNamedTurns = () => {
  const current = new Map<string, AbortController>();
  return async <T>(name: string | undefined, work: (signal?: AbortSignal) => Promise<T>): Promise<T> => {
    if (name === undefined) return work();
    current.get(name)?.abort(new DeskError('app/cancelled', 'another one has begun'));
    const turn = new AbortController();
    current.set(name, turn);
    try {
      return await work(turn.signal);
    } finally {
      if (current.get(name) === turn) current.delete(name);
    }
  };
};
