import { useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { type Action, useAction } from '../../state/context.tsx';

export type ChangeAction<C> = Action<[change: C]> & {
  /** The last change, if it was rejected; until one succeeds or it is dismissed. */
  readonly rejected: { readonly change: C; readonly error: ErrorData } | undefined;
  readonly dismiss: () => void;
};

/** Changes a value at the service. A rejected change is kept, to be shown beside the value. */
export const useChange = <C>(make: (change: C) => Promise<unknown>): ChangeAction<C> => {
  const [rejected, setRejected] = useState<ChangeAction<C>['rejected']>();
  const { run, busy } = useAction(async (change: C) => {
    try {
      await make(change);
      setRejected(undefined);
    } catch (error) {
      setRejected({ change, error: toErrorData(error) });
    }
  });
  return { run, busy, rejected, dismiss: () => setRejected(undefined) };
};
