/** Opening and closing dialogs, whose code is loaded when the first one opens. */
import { cloneElement, type MouseEvent, type ReactElement, type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../words/words.ts';
import { later } from './later.tsx';

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

const ConfirmDialog = later(async () => (await import('./dialog-frame.tsx')).ConfirmDialog);

type ConfirmProps = {
  /** The button that asks. */
  readonly trigger: ReactElement<{ onClick?: (click: MouseEvent<HTMLElement>) => void }>;
  readonly title: string;
  readonly children: ReactNode;
  /** The button that does it, named by its verb. */
  readonly action: string;
  /** The button that leaves everything as it is. */
  readonly keep?: string;
  readonly onConfirm: () => void;
};

/** Asks for confirmation of an action that cannot be undone. */
export const Confirm = ({ trigger, keep, ...question }: ConfirmProps) => {
  const [open, setOpen] = useState(false);
  const [opener, setOpener] = useState<HTMLElement>();
  const ask = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    setOpener(currentTarget);
    setOpen(true);
  };
  const close = (): void => closeDialog(() => setOpen(false), opener);
  return (
    <>
      {cloneElement(trigger, { onClick: ask })}
      {opener !== undefined && (
        <ConfirmDialog {...question} keep={keep ?? t('common.cancel')} open={open} onClose={close} />
      )}
    </>
  );
};

/** Closes a dialog by `close` and returns the focus to `opener`, which the open dialog would not allow. */
export const closeDialog = (close: () => void, opener: HTMLElement | null | undefined): void => {
  flushSync(close);
  opener?.focus();
};
