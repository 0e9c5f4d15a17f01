import { type RefObject, useEffect, useRef } from 'react';

/**
 * A ref for an element in which the first `selector` takes the focus when it appears: for what replaces something
 * that had the focus.
 */
export const useFocusOnMount = <E extends HTMLElement>(selector: string): RefObject<E | null> => {
  const ref = useRef<E>(null);
  useEffect(() => ref.current?.querySelector<HTMLElement>(selector)?.focus(), [selector]);
  return ref;
};
