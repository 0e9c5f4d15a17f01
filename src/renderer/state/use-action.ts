import { useState } from 'react';
import { useReport } from './use-report.ts';

export type Action<A extends readonly unknown[]> = {
  readonly run: (...args: A) => void;
  /** Whether it is under way: its button waits meanwhile. */
  readonly busy: boolean;
};

/** Something a person sets off. Its failure is reported to them, in a toast unless `onError` takes it. */
export const useAction = <A extends readonly unknown[]>(
  act: (...args: A) => Promise<unknown>,
  onError?: (error: unknown) => void,
): Action<A> => {
  const report = useReport();
  const [busy, setBusy] = useState(false);
  const run = (...args: A): void => {
    setBusy(true);
    act(...args)
      .catch(onError ?? report)
      .finally(() => setBusy(false));
  };
  return { run, busy };
};
