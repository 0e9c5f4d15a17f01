import { useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

type DialogName = 'search' | 'shortcuts';

type Dialogs = {
  /** The one that is open. */
  readonly dialog: DialogName | undefined;
  /** Those that were opened so far: their code is loaded then, and they stay, as one that vanished would leave the page hidden. */
  readonly used: readonly DialogName[];
  readonly show: (dialog: DialogName) => void;
  /** Gives the focus back to where it was. */
  readonly close: () => void;
};

/** The dialogs that every page has. */
export const useDialogs = (): Dialogs => {
  const [dialog, setDialog] = useState<DialogName>();
  const [used, setUsed] = useState<readonly DialogName[]>([]);
  const before = useRef<Element>(null);
  const show = useCallback((name: DialogName): void => {
    // From one dialog to the other it stays where it was before the first.
    if (document.activeElement?.closest('[role="dialog"]') === null) before.current = document.activeElement;
    setDialog(name);
    setUsed((names) => (names.includes(name) ? names : [...names, name]));
  }, []);
  const close = useCallback((): void => {
    flushSync(() => setDialog(undefined));
    const { current } = before;
    const target = current === document.body ? document.querySelector('h1') : current;
    if (target instanceof HTMLElement) target.focus();
  }, []);
  return { dialog, used, show, close };
};
