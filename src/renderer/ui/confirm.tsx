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
import type { ReactElement, ReactNode } from 'react';
import { t } from '../words/words.ts';

export type ConfirmProps = {
  /** The button that asks. */
  readonly trigger: ReactElement;
  readonly title: string;
  readonly children: ReactNode;
  /** The button that does it, named by its verb. */
  readonly action: string;
  /** The button that leaves everything as it is. */
  readonly keep?: string;
  readonly onConfirm: () => void;
};

/** Asks before something is done that cannot be undone. */
export const Confirm = ({ trigger, title, children, action, keep = t('common.cancel'), onConfirm }: ConfirmProps) => (
  <Dialog modalType="alert">
    <DialogTrigger disableButtonEnhancement>{trigger}</DialogTrigger>
    <DialogSurface>
      <DialogBody>
        <DialogTitle>{title}</DialogTitle>
        <DialogContent>{children}</DialogContent>
        <DialogActions>
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
