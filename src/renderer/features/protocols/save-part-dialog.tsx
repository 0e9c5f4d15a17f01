import { Button, ProgressBar, Text } from '@fluentui/react-components';
import { useEffect, useRef } from 'react';
import type { ErrorData } from '../../../contract/errors.ts';
import { ErrorMessage } from '../../domain/errors.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { t } from '../../words/words.ts';

type SavePartDialogProps = {
  readonly rows: number;
  /** How many rows the service has; undefined if that is not known. */
  readonly of: number | undefined;
  /** Why the rest could not be read. */
  readonly error: ErrorData | undefined;
  /** Whether the rest is being read. */
  readonly readsAll: boolean;
  readonly isComplete: boolean;
  readonly onRead: (readsAll: boolean) => void;
  readonly onSave: () => void;
  readonly onClose: () => void;
};

/** Asks before a part of a list is saved, and reads the rest of it if that is wanted. */
export const SavePartDialog = (props: SavePartDialogProps) => {
  const { rows, of, error, readsAll, isComplete, onRead, onSave, onClose } = props;
  const began = useRef(false);
  useEffect(() => {
    // After a failure a person decides again.
    if (error !== undefined && !readsAll) began.current = false;
    if (!began.current || !isComplete) return;
    began.current = false;
    onSave();
  });
  const begin = (): void => {
    began.current = true;
    onRead(true);
  };
  const cancel = (): void => {
    began.current = false;
    if (readsAll) onRead(false);
    onClose();
  };
  return (
    <DialogFrame
      title={t('protocols.savePart.title', { count: rows })}
      onClose={cancel}
      actions={
        <>
          <Button appearance="primary" disabledFocusable={readsAll} onClick={begin}>
            {t('protocols.savePart.readAll')}
          </Button>
          <Button disabledFocusable={readsAll} onClick={onSave}>
            {t('protocols.savePart.these', { count: rows })}
          </Button>
          <Button onClick={cancel}>{t('common.cancel')}</Button>
        </>
      }
    >
      <Text role="status">
        {t('protocols.savePart.loaded', { count: rows })}{' '}
        {of === undefined ? t('protocols.savePart.more') : t('protocols.savePart.known', { count: of })}
      </Text>
      {error !== undefined && <ErrorMessage error={error} />}
      {readsAll && <ProgressBar {...(of !== undefined && { value: rows, max: of })} />}
    </DialogFrame>
  );
};
