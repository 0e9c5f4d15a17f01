/** Opening and closing dialogs. */
import { Button, type ButtonProps } from '@fluentui/react-components';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Question } from './dialog-frame.tsx';
import { lazily } from './lazy.tsx';

const ConfirmDialog = lazily(async () => (await import('./dialog-frame.tsx')).ConfirmDialog);

/** The state of a dialog that is mounted while it is open: `about` is its subject, undefined while it is closed. */
export const useDialog = <About,>() => {
  const [opened, setOpened] = useState<{ readonly about: About; readonly opener: Element | null }>();
  return {
    about: opened?.about,
    /** `opener`: the element that gets the focus back, such as the button that was pressed. */
    open: (opener: Element | null, about: About): void => setOpened({ opener, about }),
    close: (): void =>
      closeDialog(() => setOpened(undefined), opened?.opener instanceof HTMLElement ? opened.opener : undefined),
  };
};

/** Closes a dialog by `close`, and only then returns the focus to `opener`: an open dialog would keep it. */
export const closeDialog = (close: () => void, opener: HTMLElement | null | undefined): void => {
  flushSync(close);
  opener?.focus();
};

type Asked = { readonly opener: HTMLElement | null; readonly question: Question; readonly act: () => void };

/** Asks the user to confirm an action. `dialog` has to be rendered; it stays mounted while it fades out. */
export const useConfirm = () => {
  const [asked, setAsked] = useState<Asked>();
  const [isOpen, setOpen] = useState(false);
  return {
    /** Calls `act` if the user confirms. `opener` gets the focus back. */
    ask: (opener: HTMLElement | null, question: Question, act: () => void): void => {
      setAsked({ opener, question, act });
      setOpen(true);
    },
    dialog: asked && (
      <ConfirmDialog
        question={asked.question}
        open={isOpen}
        onConfirm={asked.act}
        onClose={() => closeDialog(() => setOpen(false), asked.opener)}
      />
    ),
  };
};

type DialogButtonProps = Pick<ButtonProps, 'appearance' | 'aria-label' | 'children' | 'icon' | 'size'> & {
  readonly disabled?: boolean;
  /** The dialog, which is mounted while it is open. */
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
