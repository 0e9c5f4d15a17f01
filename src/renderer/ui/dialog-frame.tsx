import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  DialogTrigger,
  makeStyles,
  mergeClasses,
  tokens,
} from '@fluentui/react-components';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { spokenLocale, t } from '../words/words.ts';
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

export type DialogProps = { readonly open: boolean; readonly onClose: () => void };

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
  readonly open?: boolean;
  readonly onClose: () => void;
  /**
   * The main action. Called when the button of the type `submit` is pressed, or Enter in a field. That button has the
   * focus at first if it is not disabled and the dialog has no fields.
   */
  readonly onSubmit?: (form: HTMLFormElement) => void;
};

const POSSIBLE_SUBMIT = '[type="submit"]:not([aria-disabled="true"])';

export const DialogFrame = (props: DialogFrameProps) => {
  const { title, children, actions, isWide = false, open = true, onClose, onSubmit } = props;
  const { close = t(actions === undefined ? 'common.close' : 'common.cancel') } = props;
  const styles = useStyles();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The dialog has focused its first control. Without fields, that is the button that closes the dialog, so the focus
    // moves to the button of the main action.
    const { current } = form;
    const hasField = current && [...current.elements].some((control) => !(control instanceof HTMLButtonElement));
    if (open && hasField === false) current?.querySelector<HTMLElement>(POSSIBLE_SUBMIT)?.focus();
  }, [open]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit?.(event.currentTarget);
  };
  const body = (
    <DialogBody>
      <DialogTitle>{title}</DialogTitle>
      <DialogContent className={styles.content}>{children}</DialogContent>
      <DialogActions fluid>
        {close !== false && <Button onClick={onClose}>{close}</Button>}
        {actions}
      </DialogActions>
    </DialogBody>
  );
  return (
    <Dialog open={open} onOpenChange={onClose}>
      <DialogSurface className={mergeClasses(styles.surface, isWide && styles.wide)}>
        {onSubmit === undefined ? (
          body
        ) : (
          <form ref={form} noValidate onSubmit={submit}>
            {body}
          </form>
        )}
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

type ConfirmDialogProps = DialogProps & { readonly question: Question; readonly onConfirm: () => void };

/**
 * Asks `question` in a dialog. The user has to answer it before anything else. While the dialog is open and fades out,
 * it keeps the question and the `onConfirm` with which it was opened, so that the answer applies to what was asked,
 * even if the list behind the dialog has changed. If the language changes, the dialog takes the present question.
 */
export const ConfirmDialog = ({ open, onClose, ...present }: ConfirmDialogProps) => {
  const locale = spokenLocale();
  const [asked, setAsked] = useState({ open, locale, ...present });
  if (open !== asked.open || (open && locale !== asked.locale))
    setAsked(open ? { open, locale, ...present } : { ...asked, open });
  const { question, onConfirm } = asked;
  const { title, text, action, keep = t('common.cancel') } = question;
  return (
    <Dialog open={open} modalType="alert" onOpenChange={onClose}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{title}</DialogTitle>
          <DialogContent>{text}</DialogContent>
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
