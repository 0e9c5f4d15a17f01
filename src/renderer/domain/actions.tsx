import { Button, type ButtonProps } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons';
import { type Place, useAction, useApp } from '../state/store.tsx';
import type { Question } from '../ui/dialog-frame.tsx';
import { useDialog } from '../ui/dialogs.tsx';
import { lazily } from '../ui/lazy.tsx';
import { t } from '../words/words.ts';

export const ConfirmDialog = lazily(async () => (await import('../ui/dialog-frame.tsx')).ConfirmDialog);

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
 * `act` is in progress. An error is shown in a toast or, within a dialog, in the dialog.
 */
export const ActionButton = ({ act, disabled = false, question, ...look }: ActionButtonProps) => {
  const { busy, run } = useAction(() => act());
  const { about: isAsking, open, close } = useDialog<true>();
  return (
    <>
      <Button
        {...look}
        disabledFocusable={busy || disabled}
        onClick={({ currentTarget }) => (question ? open(currentTarget, true) : run())}
      />
      {isAsking && question && <ConfirmDialog {...question} disabled={disabled} onConfirm={run} onClose={close} />}
    </>
  );
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
