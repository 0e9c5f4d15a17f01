import { Button } from '@fluentui/react-components';
import { type ReactNode, useState } from 'react';
import { type ErrorData, toErrorData } from '../../contract/errors.ts';
import { useAction, useReport } from '../state/store.tsx';
import { DialogFrame } from '../ui/dialog-frame.tsx';
import { useIsMounted } from '../ui/hooks.ts';

/**
 * Works like `useAction`, for the main action of a dialog. `error`: the error of the last call, which the caller passes
 * to the `DialogFrame`. If the user closes the dialog during the action, an error is shown in a toast, and `onDone` is
 * not called, because another dialog may be open by then.
 */
export const useDialogAction = <A extends readonly unknown[], T>(
  act: (...args: A) => Promise<T>,
  onDone: (result: T) => void,
) => {
  const report = useReport();
  const isOpen = useIsMounted();
  const [error, setError] = useState<ErrorData>();
  const action = useAction(
    async (...args: A) => {
      setError(undefined);
      const result = await act(...args);
      if (isOpen.current) onDone(result);
    },
    (cause) => (isOpen.current ? setError(toErrorData(cause)) : report(cause)),
  );
  return { ...action, error };
};

type TaskDialogProps = {
  readonly title: string;
  readonly action: string;
  readonly act: () => Promise<unknown>;
  readonly disabled?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/**
 * A dialog for one action, which the user can also cancel. Enter in a field calls `act`, too. The dialog shows an error
 * of `act`, and closes once `act` has succeeded. It has a file of its own, so that the first screen does not load it.
 */
export const TaskDialog = ({ title, action, act, disabled = false, onClose, children }: TaskDialogProps) => {
  const { busy, run, error } = useDialogAction(act, onClose);
  return (
    <DialogFrame
      title={title}
      error={error}
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
