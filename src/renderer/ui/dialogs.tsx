/** Opening and closing dialogs. */
import { useState } from 'react';
import { flushSync } from 'react-dom';

/** The state of a dialog that is mounted while it is open: `about` is its subject, undefined while it is closed. */
export const useDialog = <About,>() => {
  const [opened, setOpened] = useState<{ readonly about: About; readonly opener: Element | null }>();
  return {
    about: opened?.about,
    /** `opener` gets the focus back: the button, or what had the focus. */
    open: (opener: Element | null, about: About): void => setOpened({ opener, about }),
    close: (): void =>
      closeDialog(() => setOpened(undefined), opened?.opener instanceof HTMLElement ? opened.opener : undefined),
  };
};

/** Closes a dialog by `close` and returns the focus to `opener`, which the open dialog would not allow. */
export const closeDialog = (close: () => void, opener: HTMLElement | null | undefined): void => {
  flushSync(close);
  opener?.focus();
};
