import { useState } from 'react';
import { useReport } from './use-report.ts';

export type Action<A extends readonly unknown[]> = {
  readonly run: (...args: A) => void;
  /** Whether it is in progress: its button is disabled. */
  readonly busy: boolean;
};

/** An action of the person. Its error is shown in a toast unless `onError` handles it. */
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
