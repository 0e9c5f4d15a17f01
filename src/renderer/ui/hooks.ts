import { debounce } from 'es-toolkit';
import {
  type RefObject,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';

/** Returns the current time in ms since 1970, updated every `everyMs` while the component is in view. */
export const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};

/** Returns the last `value` that stayed the same for `delayMs`. Until there is one, returns the first `value`. */
export const useDebounced = <T>(value: T, delayMs: number): T => {
  const [settled, settle] = useState(value);
  const settleLater = useMemo(() => debounce(settle, delayMs), [delayMs]);
  useEffect(() => {
    settleLater(value);
    return settleLater.cancel;
  }, [value, settleLater]);
  return settled;
};

/** Returns `value`; or `otherwise`, once `value` has been undefined for `delayMs`. */
export const useWithin = <T>(value: T | undefined, delayMs: number, otherwise: T): T | undefined => {
  const isMissing = value === undefined;
  const [hasWaited, setWaited] = useState(false);
  useEffect(() => {
    setWaited(false);
    const timer = isMissing ? setTimeout(() => setWaited(true), delayMs) : undefined;
    return () => clearTimeout(timer);
  }, [isMissing, delayMs]);
  return isMissing && hasWaited ? otherwise : value;
};

/**
 * Returns a ref for an element that replaces a focused one. When the element appears, the first element in it that
 * matches `selector` gets the focus.
 */
export const useFocusOnMount = <E extends HTMLElement>(selector: string): RefObject<E | null> => {
  const ref = useRef<E>(null);
  useEffect(() => ref.current?.querySelector<HTMLElement>(selector)?.focus(), [selector]);
  return ref;
};

/** Returns a function that stays the same in every render, and calls the `act` of the last render. */
export const useLatest = <A extends readonly unknown[], R>(act: (...args: A) => R) => {
  const latest = useRef(act);
  latest.current = act;
  return useCallback((...args: A): R => latest.current(...args), []);
};

/** Listens to an event of the window while the component is in view. The `listener` of the last render is called. */
export const useWindowEvent = <Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
  capture = false,
): void => {
  const latest = useLatest(listener);
  useEffect(() => {
    addEventListener(type, latest, { capture });
    return () => removeEventListener(type, latest, { capture });
  }, [type, latest, capture]);
};

export const useMedia = (query: string): boolean => {
  const follow = useCallback(
    (onChange: () => void) => {
      const media = matchMedia(query);
      // Renders synchronously, because printing does not wait for a later render.
      const change = () => flushSync(onChange);
      media.addEventListener('change', change);
      return () => media.removeEventListener('change', change);
    },
    [query],
  );
  return useSyncExternalStore(follow, () => matchMedia(query).matches);
};

/**
 * Whether `event` comes from within the element that handles it. React also passes an element the events of dialogs
 * that its children render.
 */
export const isInside = ({ target, currentTarget }: SyntheticEvent): boolean =>
  target instanceof Node && currentTarget.contains(target);

/**
 * Whether the component is still mounted, in view or not, for code that continues after an `await`. A page that the
 * user has left stays mounted, with its dialogs.
 */
export const useIsMounted = (): RefObject<boolean> => {
  const isMounted = useRef(true);
  // React ends an insertion effect only when the component is removed, and other effects also while it is hidden.
  useInsertionEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
};

/** Whether `value` has been true in this render or an earlier one. */
export const useEver = (value: boolean): boolean => {
  const [ever, setEver] = useState(value);
  if (value && !ever) setEver(true);
  return ever || value;
};

/**
 * Calls `act` when `value` has changed, before the change is painted. Does not call `act` when a page comes back into
 * view with the same value.
 */
export const useOnChange = (value: unknown, act: () => void): void => {
  const before = useRef(value);
  const latest = useLatest(act);
  useLayoutEffect(() => {
    if (before.current === value) return;
    before.current = value;
    latest();
  }, [value, latest]);
};

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/**
 * While the component is in view, calls `onFiles` with files that are dropped on the window or, if `element` is in a
 * dialog, on that dialog. The page does not receive what is dropped on a dialog, because dialogs are outside of its
 * root element. Returns whether the pointer is dragging files over the window or that dialog.
 */
export const useDropZone = (
  element: RefObject<HTMLElement | null>,
  onFiles: ((files: readonly File[]) => void) | undefined,
): boolean => {
  const handle = useLatest((files: readonly File[]) => onFiles?.(files));
  const [over, setOver] = useState(false);
  useEffect(() => {
    const page = element.current?.closest<HTMLElement>('#root, [role="dialog"]');
    if (!page) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    // The pointer enters an element before it leaves the previous one, and a removed element reports no leave. So the
    // pointer has left only if it leaves the element that it entered last.
    let entered: EventTarget | null = null;
    const enter = (target: EventTarget | null): void => {
      entered = target;
      setOver(target !== null);
    };
    const onOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    };
    const onDrop = (event: DragEvent): void => {
      enter(null);
      if (!hasFiles(event)) return;
      event.preventDefault();
      handle([...(event.dataTransfer?.files ?? [])]);
    };
    page.addEventListener('dragenter', (event) => hasFiles(event) && enter(event.target), { signal });
    page.addEventListener('dragleave', ({ target }) => target === entered && enter(null), { signal });
    page.addEventListener('dragover', onOver, { signal });
    page.addEventListener('drop', onDrop, { signal });
    return () => {
      leaving.abort();
      setOver(false);
    };
  }, [element, handle]);
  return over;
};
