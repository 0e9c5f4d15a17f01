import {
  Button,
  Toast,
  ToastBody,
  Toaster,
  ToastTitle,
  ToastTrigger,
  useToastController,
} from '@fluentui/react-components';
import { Dismiss16Regular } from '@fluentui/react-icons';
import { useCallback, useEffect, useState } from 'react';
import type { ErrorData } from '../../contract/errors.ts';
import { useApp } from '../state/store.tsx';
import { useOnChange } from '../ui/hooks.ts';
import { errorText, t } from '../words/words.ts';

const toasterId = 'app';

/**
 * The distance in px between toasts and the bottom of the window. It leaves the bar at the bottom of a page, with its
 * main button, in view.
 */
const ABOVE_BAR = { vertical: 96 };

const Report = ({ error }: { readonly error: ErrorData }) => {
  const { title, todo } = errorText(error);
  const dismiss = (
    <ToastTrigger>
      <Button appearance="transparent" size="small" icon={<Dismiss16Regular />} aria-label={t('common.dismiss')} />
    </ToastTrigger>
  );
  return (
    <Toast>
      <ToastTitle action={dismiss}>{title}</ToastTitle>
      <ToastBody>{todo}</ToastBody>
    </Toast>
  );
};

/**
 * Shows the errors of the user's actions as toasts, except those that a dialog shows. Toasts stay until the user
 * dismisses them or the signed-in user changes. An error that is already shown is not shown again.
 */
export const Toasts = () => {
  const { dispatchToast, dismissAllToasts } = useToastController(toasterId);
  const user = useApp(({ projection }) => {
    const session = projection.snapshot?.session;
    return session?.state === 'signed-in' && `user ${session.subject ?? ''}`;
  });
  useOnChange(user, dismissAllToasts);
  const reports = useApp((state) => state.reports);
  const take = useApp((state) => state.take);
  useEffect(() => {
    if (reports.length === 0) return;
    for (const error of take('reports')) {
      const toastId = JSON.stringify(errorText(error));
      dispatchToast(<Report error={error} />, { toastId, intent: 'error', timeout: -1 });
    }
  }, [reports, take, dispatchToast]);
  // Toasts are rendered in an element of this component. At the end of the document, they would cover dialogs, because
  // later elements are shown above earlier ones.
  const [element] = useState(() => document.createElement('div'));
  const place = useCallback((here: HTMLElement | null) => here?.append(element), [element]);
  return (
    <div ref={place}>
      <Toaster toasterId={toasterId} position="bottom-end" offset={ABOVE_BAR} limit={3} mountNode={element} />
    </div>
  );
};
