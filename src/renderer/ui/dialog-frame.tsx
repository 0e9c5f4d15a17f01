import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  mergeClasses,
  tokens,
} from '@fluentui/react-components';
import { type FormEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { ErrorData } from '../../contract/errors.ts';
import { errorText, t } from '../words/words.ts';
import { DialogReport } from './dialogs.tsx';
import { useIsMounted } from './hooks.ts';
import { Message } from './message.tsx';
import { stacked } from './styles.ts';

const useStyles = makeStyles({
  surface: { maxWidth: '720px' },
  wide: { maxWidth: 'min(1200px, 92vw)' },
  content: {
    ...stacked(tokens.spacingVerticalL),
    // The content scrolls rather than shrinks.
    '& > *': { flexShrink: 0 },
  },
});

type DialogFrameProps = {
  readonly title: string;
  readonly children: ReactNode;
  /** The buttons after the one that closes the dialog; the main action last. */
  readonly actions?: ReactNode;
  /**
   * The label of the first button, which closes the dialog. Default: Cancel if there are `actions`, otherwise Close.
   * False: there is no such button, because one of the actions closes the dialog.
   */
  readonly close?: string | false;
  readonly isWide?: boolean;
  /** Whether the user has to answer before anything else. A click beside the dialog then does not close it. */
  readonly isQuestion?: boolean;
  readonly open?: boolean;
  /**
   * The error of the main action. Errors of other actions within the dialog are shown in its place until the next
   * action.
   */
  readonly error?: ErrorData | undefined;
  readonly onClose: () => void;
  /**
   * The main action. Called when the button of the type `submit` is pressed, or Enter in a field. That button has the
   * focus at first if it is not disabled and the dialog has no fields.
   */
  readonly onSubmit?: (form: HTMLFormElement) => void;
};

const POSSIBLE_SUBMIT = '[type="submit"]:not([aria-disabled="true"])';

export const DialogFrame = (props: DialogFrameProps) => {
  const { title, children, actions, isWide = false, isQuestion = false, open = true } = props;
  const { onClose, onSubmit, close = t(actions === undefined ? 'common.close' : 'common.cancel') } = props;
  const styles = useStyles();
  const form = useRef<HTMLFormElement>(null);
  const isMounted = useIsMounted();
  const [reported, setReported] = useState<ErrorData>();
  const report = useCallback(
    (error?: ErrorData): boolean => {
      setReported(error);
      return isMounted.current;
    },
    [isMounted],
  );
  const error = reported ?? props.error;
  useEffect(() => {
    // The dialog has focused its first control. Without fields, that is the button that closes the dialog, so the focus
    // moves to the button of the main action.
    const { current } = form;
    const hasField = current && [...current.elements].some((control) => !(control instanceof HTMLButtonElement));
    if (open && hasField === false) current?.querySelector<HTMLElement>(POSSIBLE_SUBMIT)?.focus();
  }, [open]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setReported(undefined);
    onSubmit?.(event.currentTarget);
  };
  const body = (
    <DialogBody>
      <DialogTitle>{title}</DialogTitle>
      <DialogContent className={styles.content}>
        {children}
        {error && (
          <div role="alert">
            <Message intent="error" title={errorText(error).title}>
              {errorText(error).todo}
            </Message>
          </div>
        )}
      </DialogContent>
      <DialogActions fluid>
        {close !== false && <Button onClick={onClose}>{close}</Button>}
        {actions}
      </DialogActions>
    </DialogBody>
  );
  return (
    <Dialog open={open} modalType={isQuestion ? 'alert' : 'modal'} onOpenChange={onClose}>
      <DialogSurface className={mergeClasses(!isQuestion && styles.surface, isWide && styles.wide)}>
        <DialogReport value={report}>
          {onSubmit === undefined ? (
            body
          ) : (
            <form ref={form} noValidate onSubmit={submit}>
              {body}
            </form>
          )}
        </DialogReport>
      </DialogSurface>
    </Dialog>
  );
};

export type Question = {
  readonly title: string;
  readonly text: ReactNode;
  readonly action: string;
  /** The label of the button that leaves everything as it is; default: Cancel. */
  readonly keep?: string;
};

type ConfirmDialogProps = Question &
  Pick<DialogFrameProps, 'onClose'> & {
    /** Whether the action has become impossible since the question was asked. */
    readonly disabled?: boolean;
    readonly onConfirm: () => void;
  };

export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { title, text, action, keep, disabled = false, onConfirm, onClose } = props;
  const confirm = (): void => {
    onConfirm();
    onClose();
  };
  return (
    <DialogFrame
      isQuestion
      title={title}
      close={keep ?? t('common.cancel')}
      onClose={onClose}
      actions={
        <Button appearance="primary" disabledFocusable={disabled} onClick={confirm}>
          {action}
        </Button>
      }
    >
      {text}
    </DialogFrame>
  );
};
