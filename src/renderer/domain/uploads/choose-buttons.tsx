import { Button } from '@fluentui/react-components';
import { FolderAdd20Regular } from '@fluentui/react-icons';
import { useRef } from 'react';
import type { Folder } from '../../../contract/watched-folders.ts';
import { useAction, useApp, useDesk } from '../../state/context.tsx';
import { FileInput } from '../../ui/fields.tsx';

type ChooseButtonsProps = {
  /** The name of the button for folders. */
  readonly folder: string;
  /** The name of the one for files; absent: there is none, and the other one is not the main one. */
  readonly files?: string;
  /** The assignment for everything chosen; absent: it is added to the new upload on screen. */
  readonly AssignmentId?: string;
};

/** Buttons that open the system's pickers. The chosen files are reviewed on the page of a new upload. */
export const ChooseButtons = ({ folder, files: filesName, AssignmentId }: ChooseButtonsProps) => {
  const desk = useDesk();
  const give = useApp((state) => state.give);
  const input = useRef<HTMLInputElement>(null);
  const begin = (folders: readonly Folder[]): void =>
    give(AssignmentId === undefined ? { folders, here: true } : { folders, AssignmentId });
  const pick = useAction(async () => {
    const picked = await desk.folders.pick();
    if (picked !== undefined) begin([picked]);
  });
  const take = useAction(async (files: readonly File[]) => begin(await desk.adoptDropped(files)));
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
