import { Button } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useAction } from '../state/store.tsx';
import { DialogFrame } from '../ui/dialog-frame.tsx';
import { useIsMounted } from '../ui/hooks.ts';

type TaskDialogProps = {
  readonly title: string;
  readonly action: string;
  readonly act: () => Promise<unknown>;
  readonly disabled?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/**
 * A dialog for one action, which the user can also cancel. Enter in a field calls `act`, too. The dialog closes once
 * `act` has succeeded. The dialog has a file of its own, so that the first screen does not load it.
 */
export const TaskDialog = ({ title, action, act, disabled = false, onClose, children }: TaskDialogProps) => {
  const isOpen = useIsMounted();
  const { busy, run } = useAction(async () => {
    await act();
    // The user may have closed this dialog, and opened another one of the same button.
    if (isOpen.current) onClose();
  });
  return (
    <DialogFrame
      title={title}
      onClose={onClose}
      onSubmit={() => !busy && !disabled && run()}
      actions={
        <Button type="submit" appearance="primary" disabledFocusable={busy || disabled}>
          {action}
        </Button>
      }
    >
      {children}
    </DialogFrame>
  );
};
