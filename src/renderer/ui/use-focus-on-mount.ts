import { type RefObject, useEffect, useRef } from 'react';

/**
 * A ref for an element that replaces a focused one: when it appears, the first element in it that matches `selector` gets
 * the focus.
 */
export const useFocusOnMount = <E extends HTMLElement>(selector: string): RefObject<E | null> => {
  const ref = useRef<E>(null);
  useEffect(() => ref.current?.querySelector<HTMLElement>(selector)?.focus(), [selector]);
  return ref;
};
