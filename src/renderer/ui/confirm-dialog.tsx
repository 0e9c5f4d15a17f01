import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  DialogTrigger,
} from '@fluentui/react-components';
import { type ReactNode, useRef } from 'react';

type ConfirmDialogProps = {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly keep: string;
  readonly onConfirm: () => void;
  readonly open: boolean;
  readonly onClose: () => void;
};

/** The question itself, which must be answered. */
export const ConfirmDialog = ({ open, onClose, keep, onConfirm, ...present }: ConfirmDialogProps) => {
  // While it fades out it still asks what was asked, although the answer may have changed that.
  const asked = useRef(present);
  if (open) asked.current = present;
  const { title, children, action } = asked.current;
  return (
    <Dialog open={open} modalType="alert" onOpenChange={onClose}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{title}</DialogTitle>
          <DialogContent>{children}</DialogContent>
          <DialogActions fluid>
            <DialogTrigger disableButtonEnhancement>
              <Button>{keep}</Button>
            </DialogTrigger>
            <DialogTrigger disableButtonEnhancement>
              <Button appearance="primary" onClick={onConfirm}>
                {action}
              </Button>
            </DialogTrigger>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
};
