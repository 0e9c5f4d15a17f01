import { Button } from '@fluentui/react-components';
import { useEffect } from 'react';
import type { Draft } from '../../../contract/drafts.ts';
import { useApp, useDesk } from '../../state/context.tsx';
import type { Given } from '../../state/store.ts';
import { useAction } from '../../state/use-action.ts';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { t } from '../../words/words.ts';
import { namesText } from './row-words.ts';
import { useNames } from './use-names.ts';

/**
 * Takes the folders that were given: they begin a draft. If there is one already, folders chosen on this page are added to
 * it, and otherwise the person is asked.
 */
export const TakeGiven = ({ draft }: { readonly draft: Draft | undefined }) => {
  const { drafts } = useDesk();
  const given = useApp((state) => state.given);
  const takeGiven = useApp((state) => state.takeGiven);
  const { about: asked, open: ask, close } = useDialog<Given>();
  const names = useNames();
  const begin = useAction(async ({ folders, AssignmentId }: Given) => {
    await drafts.open({ folderIds: folders.map(({ folderId }) => folderId), ...(AssignmentId && { AssignmentId }) });
    if (names.isChosen) await drafts.setNames(names.value);
  });
  const add = useAction(({ folders }: Given) => drafts.add({ folderIds: folders.map(({ folderId }) => folderId) }));
  useEffect(() => {
    const taken = given && takeGiven();
    if (taken === undefined) return;
    if (draft === undefined) begin.run(taken);
    else if (taken.here === true) add.run(taken);
    else ask(document.activeElement, taken);
  });
  if (asked === undefined || draft === undefined) return null;
  return (
    <DialogFrame
      title={t('newUpload.again.title')}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{t('common.cancel')}</Button>
          <Button
            onClick={() => {
              begin.run(asked);
              close();
            }}
          >
            {t('newUpload.again.replace')}
          </Button>
          {asked.AssignmentId === draft.AssignmentId && (
            <Button
              appearance="primary"
              onClick={() => {
                add.run(asked);
                close();
              }}
            >
              {t('newUpload.again.add')}
            </Button>
          )}
        </>
      }
    >
      {t('newUpload.again.explained', {
        count: draft.counts.total,
        names: namesText(draft),
      })}
    </DialogFrame>
  );
};
