import { useState } from 'react';
import { closeDialog } from './close-dialog.ts';

type Dialog<About> = {
  /** What it is about; undefined while it is closed. */
  readonly about: About | undefined;
  /** `opener` gets the focus back: the button, or what had the focus. */
  readonly open: (opener: Element | null, about: About) => void;
  readonly close: () => void;
};

/** The state of a dialog that is mounted while it is open. */
export const useDialog = <About>(): Dialog<About> => {
  const [opened, setOpened] = useState<{ readonly about: About; readonly opener: Element | null }>();
  return {
    about: opened?.about,
    open: (opener, about) => setOpened({ opener, about }),
    close: () =>
      closeDialog(() => setOpened(undefined), opened?.opener instanceof HTMLElement ? opened.opener : undefined),
  };
};
