import { Button, type ButtonProps } from '@fluentui/react-components';
import { createContext, type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ErrorData } from '../../contract/errors.ts';

/**
 * Shows an error in the dialog that contains the component, because while a dialog is open, neither the keyboard nor a
 * screen reader reaches a toast. Without an error, removes the one that is shown. Returns false once the dialog is
 * closed. Undefined outside of dialogs.
 */
export const DialogReport = createContext<((error?: ErrorData) => boolean) | undefined>(undefined);

/**
 * Returns the state of a dialog that is mounted only while it is open, and functions that open and close it. The state
 * is `about`, the subject of the dialog; it is undefined while the dialog is closed.
 */
export const useDialog = <About,>() => {
  const [opened, setOpened] = useState<{ readonly about: About; readonly opener: Element | null }>();
  return {
    about: opened?.about,
    /**
     * Opens the dialog. `opener`, such as the button that was pressed, gets the focus when the dialog closes. If the
     * dialog is open, only its subject changes.
     */
    open: (opener: Element | null, about: About): void =>
      setOpened((before) => ({ opener: before === undefined ? opener : before.opener, about })),
    close: (): void => {
      // An open dialog would keep the focus.
      flushSync(() => setOpened(undefined));
      if (opened?.opener instanceof HTMLElement) opened.opener.focus();
    },
  };
};

type DialogButtonProps = Pick<ButtonProps, 'appearance' | 'aria-label' | 'children' | 'icon' | 'size'> & {
  readonly disabled?: boolean;
  readonly dialog: (onClose: () => void) => ReactNode;
};

/** A button that opens a dialog, and gets the focus back when the dialog closes. */
export const DialogButton = ({ dialog, disabled = false, ...look }: DialogButtonProps) => {
  const { about, open, close } = useDialog<true>();
  return (
    <>
      <Button {...look} disabledFocusable={disabled} onClick={({ currentTarget }) => open(currentTarget, true)} />
      {about && dialog(close)}
    </>
  );
};
