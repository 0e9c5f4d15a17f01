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
