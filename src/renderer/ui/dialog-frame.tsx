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
import { type ErrorData, toErrorData } from '../../contract/errors.ts';
import { errorText, t } from '../words/words.ts';
import { DialogReport } from './dialogs.tsx';
import { useIsMounted } from './hooks.ts';
import { Message } from './message.tsx';
import { stacked } from './styles.ts';
import { useUi } from './ui-context.ts';

const useStyles = makeStyles({
  surface: { maxWidth: '720px' },
  wide: { maxWidth: 'min(1200px, 92vw)' },
  content: {
    ...stacked(tokens.spacingVerticalL),
    // The content scrolls rather than shrinks.
    '& > *': { flexShrink: 0 },
  },
});

type MainAction = {
  /** The label of its button, which comes last. At first the button has the focus if the dialog has no fields. */
  readonly label: string;
  readonly disabled?: boolean;
  /**
   * Called when the button is pressed, or Enter in a field. If it returns a promise, the action is in progress until
   * the promise settles, and cannot be started again meanwhile. An error is shown in the dialog or, if the user has
   * closed it, in a toast.
   */
  readonly act: (form: HTMLFormElement) => unknown;
  /** Called when the promise is fulfilled, unless the dialog was closed: another one may be open by then. */
  readonly onDone?: () => void;
};

type DialogFrameProps = {
  readonly title: string;
  readonly children: ReactNode;
  /** The buttons after the one that closes the dialog, and before that of the main action. */
  readonly actions?: ReactNode;
  readonly main?: MainAction;
  /**
   * The label of the first button, which closes the dialog. Default: Cancel if there are other buttons, otherwise
   * Close. False: there is no such button, because one of the actions closes the dialog.
   */
  readonly close?: string | false;
  readonly isWide?: boolean;
  /** Whether the user has to answer before anything else. A click beside the dialog then does not close it. */
  readonly isQuestion?: boolean;
  readonly open?: boolean;
  readonly onClose: () => void;
};

const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]';

/** Returns a ref callback, and whether its element can be scrolled by keyboard only if it takes the focus itself. */
const useScrollsAlone = () => {
  const [scrollsAlone, setScrollsAlone] = useState(false);
  const observe = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const resized = new ResizeObserver(() =>
      setScrollsAlone(element.scrollHeight > element.clientHeight && !element.querySelector(FOCUSABLE)),
    );
    resized.observe(element);
    return () => resized.disconnect();
  }, []);
  return [observe, scrollsAlone] as const;
};

const POSSIBLE_SUBMIT = '[type="submit"]:not([aria-disabled="true"])';

export const DialogFrame = (props: DialogFrameProps) => {
  const { title, children, actions, main, isWide = false, isQuestion = false, open = true, onClose } = props;
  const { close = t((actions ?? main) === undefined ? 'common.close' : 'common.cancel') } = props;
  const styles = useStyles();
  const form = useRef<HTMLFormElement>(null);
  const isMounted = useIsMounted();
  const [content, scrollsAlone] = useScrollsAlone();
  const { report: reportOutside } = useUi();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorData>();
  const report = useCallback(
    (reported?: ErrorData): boolean => {
      setError(reported);
      return isMounted.current;
    },
    [isMounted],
  );
  useEffect(() => {
    // The dialog has focused its first control. Without fields, that is the button that closes the dialog, so the focus
    // moves to the button of the main action.
    const { current } = form;
    const hasField = current && [...current.elements].some((control) => !(control instanceof HTMLButtonElement));
    if (open && hasField === false) current?.querySelector<HTMLElement>(POSSIBLE_SUBMIT)?.focus();
  }, [open]);
  const run = async ({ act, onDone }: MainAction, dialog: HTMLFormElement): Promise<void> => {
    setError(undefined);
    const acting = act(dialog);
    if (!(acting instanceof Promise)) return;
    setBusy(true);
    try {
      await acting;
      if (isMounted.current) onDone?.();
    } catch (cause) {
      if (!report(toErrorData(cause))) reportOutside(cause);
    } finally {
      setBusy(false);
    }
  };
  const isDisabled = busy || main?.disabled === true;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (main !== undefined && !isDisabled) void run(main, event.currentTarget);
  };
  const body = (
    <DialogBody>
      <DialogTitle>{title}</DialogTitle>
      <DialogContent
        ref={content}
        className={styles.content}
        {...(scrollsAlone && { tabIndex: 0, role: 'group', 'aria-label': title })}
      >
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
        {main && (
          <Button type="submit" appearance="primary" disabledFocusable={isDisabled}>
            {main.label}
          </Button>
        )}
      </DialogActions>
    </DialogBody>
  );
  return (
    <Dialog open={open} modalType={isQuestion ? 'alert' : 'modal'} onOpenChange={onClose}>
      <DialogSurface className={mergeClasses(!isQuestion && styles.surface, isWide && styles.wide)}>
        <DialogReport value={report}>
          {main === undefined ? (
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
