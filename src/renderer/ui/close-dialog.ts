import { flushSync } from 'react-dom';

/** Closes a dialog by `close`, and gives the focus back to what has opened it as soon as the dialog lets it. */
export const closeDialog = (close: () => void, opener: HTMLElement | null | undefined): void => {
  flushSync(close);
  opener?.focus();
};
