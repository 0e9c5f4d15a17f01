import { Button, type ButtonProps } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import { type Place, useAction, useApp } from '../state/store.tsx';
import type { Question } from '../ui/dialog-frame.tsx';
import { closeDialog } from '../ui/dialogs.tsx';
import { lazily } from '../ui/lazy.tsx';
import { t } from '../words/words.ts';

const ConfirmDialog = lazily(async () => (await import('../ui/dialog-frame.tsx')).ConfirmDialog);

type Look = Pick<
  ButtonProps,
  'appearance' | 'aria-label' | 'children' | 'className' | 'icon' | 'id' | 'size' | 'title'
>;

type ActionButtonProps = Look & {
  readonly act: () => Promise<unknown>;
  readonly disabled?: boolean;
  readonly question?: Question | undefined;
};

/**
 * A button that calls `act`, after the user has confirmed `question` if there is one. The button is disabled while
 * `act` is in progress. An error is shown in a toast.
 */
export const ActionButton = ({ act, disabled = false, question, ...look }: ActionButtonProps) => {
  const { busy, run } = useAction(() => act());
  const { ask, dialog } = useConfirm(question, run);
  return (
    <>
      <Button
        {...look}
        disabledFocusable={busy || disabled}
        onClick={({ currentTarget }) => (question ? ask(currentTarget) : run())}
      />
      {dialog}
    </>
  );
};

/** Returns `dialog`, which asks `question`, and `ask`, which opens it. When the dialog closes, `by` gets the focus. */
export const useConfirm = (question: Question | undefined, onConfirm: () => void) => {
  const [isAsking, setAsking] = useState(false);
  const [opener, setOpener] = useState<HTMLElement | null>();
  return {
    ask: (by: HTMLElement | null): void => {
      setOpener(by);
      setAsking(true);
    },
    dialog: question && opener !== undefined && (
      <ConfirmDialog
        question={question}
        open={isAsking}
        onConfirm={onConfirm}
        onClose={() => closeDialog(() => setAsking(false), opener)}
      />
    ),
  };
};

export const OpenButton = ({ place, ...look }: Look & { readonly place: Place }) => {
  const open = useApp((state) => state.open);
  return <Button {...look} onClick={() => open(place)} />;
};

export const NewUploadButton = () => (
  <OpenButton appearance="primary" icon={<Add20Regular />} place={{ name: 'new-upload' }}>
    {t('newUpload.title')}
  </OpenButton>
);
