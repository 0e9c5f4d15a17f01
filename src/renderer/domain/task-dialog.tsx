import { Button } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useAction } from '../state/context.tsx';
import { DialogFrame } from '../ui/dialog-frame.tsx';
import { t } from '../words/words.ts';

type TaskDialogProps = {
  readonly title: string;
  /** The name of the button that calls `act`, as Enter in a field does; the dialog closes when that has succeeded. */
  readonly action: string;
  readonly act: () => Promise<unknown>;
  readonly disabled?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A dialog that ends with one action, or is cancelled. Loaded with the dialogs that use it, not with the first screen. */
export const TaskDialog = ({ title, action, act, disabled = false, onClose, children }: TaskDialogProps) => {
  const { busy, run } = useAction(() => act().then(onClose));
  return (
    <DialogFrame
      title={title}
      onClose={onClose}
      onSubmit={() => !busy && !disabled && run()}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" appearance="primary" disabledFocusable={busy || disabled}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </DialogFrame>
  );
};
