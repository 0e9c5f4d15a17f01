import { flushSync } from 'react-dom';

/** Closes a dialog by `close` and returns the focus to `opener`, which the open dialog would not allow. */
export const closeDialog = (close: () => void, opener: HTMLElement | null | undefined): void => {
  flushSync(close);
  opener?.focus();
};
