import { Button, Checkbox } from '@fluentui/react-components';
import { useState } from 'react';
import type { Folder } from '../../../contract/watched-folders.ts';
import { useAction, useDesk } from '../../state/context.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { t } from '../../words/words.ts';
import type { FormRules } from './rules.ts';
import { RulesForm } from './rules-form.tsx';

type AddDialogProps = { readonly folder: Folder; readonly onClose: () => void };

/** Asks what happens with the files of a folder before it is watched. */
export const AddDialog = ({ folder, onClose }: AddDialogProps) => {
  const { watchedFolders } = useDesk();
  const [rules, setRules] = useState<FormRules>({ onClash: 'rename', hours: [] });
  const [isIncomplete, setIncomplete] = useState(false);
  const [existing, setExisting] = useState(false);
  const add = useAction(async () => {
    await watchedFolders.add({ folderId: folder.folderId, rules, existing });
    onClose();
  });
  return (
    <DialogFrame
      title={t('watched.form.addTitle', { folder: folder.name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button appearance="primary" disabledFocusable={isIncomplete || add.busy} onClick={() => add.run()}>
            {t('watched.form.add')}
          </Button>
        </>
      }
    >
      <RulesForm rules={rules} onChange={setRules} onIncomplete={setIncomplete} />
      <Checkbox
        label={t('watched.form.existing')}
        checked={existing}
        onChange={(_, { checked }) => setExisting(checked === true)}
      />
    </DialogFrame>
  );
};
