import { Button } from '@fluentui/react-components';
import { FolderAdd20Regular } from '@fluentui/react-icons';
import { useRef } from 'react';
import { useApp, useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { FileInput } from '../../ui/file-input.tsx';

type ChooseButtonsProps = {
  /** The name of the button for folders. */
  readonly folder: string;
  /** The name of the one for files; absent: there is none, and the other one is not the main one. */
  readonly files?: string;
};

/** Buttons that open the system's pickers. */
export const ChooseButtons = ({ folder, files: filesName }: ChooseButtonsProps) => {
  const desk = useDesk();
  const give = useApp((state) => state.give);
  const input = useRef<HTMLInputElement>(null);
  const pick = useAction(async () => {
    const picked = await desk.folders.pick();
    if (picked !== undefined) give({ folders: [picked], here: true });
  });
  const take = useAction(async (files: readonly File[]) =>
    give({ folders: await desk.adoptDropped(files), here: true }),
  );
  const busy = pick.busy || take.busy;
  return (
    <>
      <Button
        appearance={filesName === undefined ? 'secondary' : 'primary'}
        icon={<FolderAdd20Regular />}
        disabledFocusable={busy}
        onClick={pick.run}
      >
        {folder}
      </Button>
      {filesName !== undefined && (
        <>
          <Button disabledFocusable={busy} onClick={() => input.current?.click()}>
            {filesName}
          </Button>
          <FileInput input={input} onFiles={take.run} />
        </>
      )}
    </>
  );
};
