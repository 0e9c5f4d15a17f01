import { useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { type Action, useAction } from '../../state/use-action.ts';

export type ChangeAction<C> = Action<[change: C]> & {
  /** The change that was made last and did not go through, until another one does or it is dismissed. */
  readonly refused: { readonly change: C; readonly error: ErrorData } | undefined;
  readonly dismiss: () => void;
};

/** Changes a value at the service. What that refuses stays, to be shown beside the value. */
export const useChange = <C>(make: (change: C) => Promise<unknown>): ChangeAction<C> => {
  const [refused, setRefused] = useState<ChangeAction<C>['refused']>();
  const { run, busy } = useAction(async (change: C) => {
    try {
      await make(change);
      setRefused(undefined);
    } catch (error) {
      setRefused({ change, error: toErrorData(error) });
    }
  });
  return { run, busy, refused, dismiss: () => setRefused(undefined) };
};
