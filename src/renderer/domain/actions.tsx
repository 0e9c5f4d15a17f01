/** Buttons that make a call of main, or open a place. */
import { Button, type ButtonProps } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import { useAction, useApp } from '../state/context.tsx';
import type { Place } from '../state/places.ts';
import { Confirm } from '../ui/dialogs.tsx';
import { t } from '../words/words.ts';

type Look = Pick<
  ButtonProps,
  'appearance' | 'aria-label' | 'children' | 'className' | 'icon' | 'id' | 'size' | 'title'
>;

type ActionButtonProps = Look & {
  readonly act: () => Promise<unknown>;
  /** Whether it cannot be done now. It is disabled while it is in progress, too. */
  readonly disabled?: boolean;
  /** Asked first, for what cannot be undone. `action` and `keep` name the buttons that do it and that leave it. */
  readonly question?: {
    readonly title: string;
    readonly text: ReactNode;
    readonly action: string;
    readonly keep?: string;
  };
};

/** Calls `act`; its error is shown in a toast. */
export const ActionButton = ({ act, disabled = false, question, ...look }: ActionButtonProps) => {
  const { busy, run } = useAction(() => act());
  const button = <Button {...look} disabledFocusable={busy || disabled} onClick={run} />;
  if (question === undefined) return button;
  const { text, ...asked } = question;
  return (
    <Confirm {...asked} onConfirm={run} trigger={button}>
      {text}
    </Confirm>
  );
};

/** Opens `place`. */
export const OpenButton = ({ place, ...look }: Look & { readonly place: Place }) => {
  const open = useApp((state) => state.open);
  return <Button {...look} onClick={() => open(place)} />;
};

/** Opens the page of a new upload: the main action of the pages that lead to it. */
export const NewUploadButton = () => (
  <OpenButton appearance="primary" icon={<Add20Regular />} place={{ name: 'new-upload' }}>
    {t('newUpload.title')}
  </OpenButton>
);
