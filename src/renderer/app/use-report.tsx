import { Button, Toast, ToastBody, ToastTitle, ToastTrigger, useToastController } from '@fluentui/react-components';
import { Dismiss16Regular } from '@fluentui/react-icons';
import { useCallback } from 'react';
import { errorText } from '../../contract/error-text.ts';
import { toErrorData } from '../../contract/errors.ts';
import { t } from '../words/words.ts';

/** The place where toasts appear; the app shows one `Toaster` with this id. */
export const toasterId = 'app';

/** Tells the person what went wrong with something they did. It stays until they dismiss it. */
export const useReport = (): ((error: unknown) => void) => {
  const { dispatchToast } = useToastController(toasterId);
  return useCallback(
    (error) => {
      const { title, todo } = errorText(toErrorData(error));
      dispatchToast(
        <Toast>
          <ToastTitle
            action={
              <ToastTrigger>
                <Button
                  appearance="transparent"
                  size="small"
                  icon={<Dismiss16Regular />}
                  aria-label={t('common.dismiss')}
                />
              </ToastTrigger>
            }
          >
            {title}
          </ToastTitle>
          <ToastBody>{todo}</ToastBody>
        </Toast>,
        { intent: 'error', timeout: -1 },
      );
    },
    [dispatchToast],
  );
};
