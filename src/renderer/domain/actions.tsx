/** Buttons that call main or open a place. */
import { Button, type ButtonProps } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons';
import { type MouseEvent, useState } from 'react';
import { useAction, useApp } from '../state/context.tsx';
import type { Place } from '../state/places.ts';
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
  /** Whether the action is impossible now. The button is also disabled while the action is in progress. */
  readonly disabled?: boolean;
  /** A question that the user has to confirm before `act` is called. */
  readonly question?: Question | undefined;
};

/** A button that calls `act`, after `question` if there is one. An error is shown in a toast. */
export const ActionButton = ({ act, disabled = false, question, ...look }: ActionButtonProps) => {
  const { busy, run } = useAction(() => act());
  const [isAsking, setAsking] = useState(false);
  const [opener, setOpener] = useState<HTMLElement>();
  const ask = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    setOpener(currentTarget);
    setAsking(true);
  };
  return (
    <>
      <Button {...look} disabledFocusable={busy || disabled} onClick={question ? ask : run} />
      {question && opener && (
        <ConfirmDialog
          question={question}
          open={isAsking}
          onConfirm={run}
          onClose={() => closeDialog(() => setAsking(false), opener)}
        />
      )}
    </>
  );
};

export const OpenButton = ({ place, ...look }: Look & { readonly place: Place }) => {
  const open = useApp((state) => state.open);
  return <Button {...look} onClick={() => open(place)} />;
};

/** The button that opens the page of a new upload, as the main action of a page. */
export const NewUploadButton = () => (
  <OpenButton appearance="primary" icon={<Add20Regular />} place={{ name: 'new-upload' }}>
    {t('newUpload.title')}
  </OpenButton>
);
