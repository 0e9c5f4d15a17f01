import { useRef, useState } from 'react';
import { useAction } from '../../state/context.tsx';

/**
 * A setting that is changed in several steps, and how to change it: the last choice counts until it is stored, so that a
 * choice made meanwhile builds on it. `store` is called once at a time, in the order of the choices.
 */
export const useSetting = <T extends object>(
  kept: T,
  store: (value: T) => Promise<unknown>,
): readonly [T, (value: T) => void] => {
  const [chosen, setChosen] = useState<T>();
  const before = useRef<Promise<unknown>>(Promise.resolve());
  const set = useAction((value: T) => {
    setChosen(value);
    const change = before.current.then(() => store(value));
    before.current = change.catch(() => {});
    return change.finally(() => setChosen((latest) => (latest === value ? undefined : latest)));
  });
  return [chosen ?? kept, set.run];
};
