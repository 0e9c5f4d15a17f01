import { useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

type DialogName = 'search' | 'shortcuts';

type Dialogs = {
  /** The open dialog. */
  readonly dialog: DialogName | undefined;
  /**
   * The dialogs that were opened before. They stay mounted: removing one leaves the page hidden from screen readers.
   */
  readonly used: readonly DialogName[];
  readonly show: (dialog: DialogName) => void;
  /** Returns the focus to where it was. */
  readonly close: () => void;
};

/** The dialogs of the shell. */
export const useDialogs = (): Dialogs => {
  const [dialog, setDialog] = useState<DialogName>();
  const [used, setUsed] = useState<readonly DialogName[]>([]);
  const before = useRef<Element>(null);
  const show = useCallback((name: DialogName): void => {
    // A second dialog keeps the focus target of the first.
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
