import { cloneElement, type MouseEvent, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { closeDialog } from './close-dialog.ts';
import { later } from './later.ts';
import { useUi } from './ui-context.ts';

const ConfirmDialog = later(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog);

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

/** Asks before something is done that cannot be undone. */
export const Confirm = ({ trigger, keep, ...question }: ConfirmProps) => {
  const { texts } = useUi();
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
        <Suspense>
          <ConfirmDialog {...question} keep={keep ?? texts.cancel} open={open} onClose={close} />
        </Suspense>
      )}
    </>
  );
};
