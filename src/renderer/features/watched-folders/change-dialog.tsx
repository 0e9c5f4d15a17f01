import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import type { WatchedFolder } from '../../../contract/watched-folders.ts';
import { useAction, useDesk } from '../../state/context.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { t } from '../../words/words.ts';
import { type FormRules, rulesOf } from './rules.ts';
import { RulesForm } from './rules-form.tsx';

type ChangeDialogProps = { readonly folder: WatchedFolder; readonly onClose: () => void };

/** Changes what happens with the files of a watched folder from now on. */
export const ChangeDialog = ({ folder, onClose }: ChangeDialogProps) => {
  const { watchedFolders } = useDesk();
  const [rules, setRules] = useState<FormRules>(() => rulesOf(folder));
  const [isIncomplete, setIncomplete] = useState(false);
  const { watchedId, paused } = folder;
  const change = useAction(async () => {
    await watchedFolders.change({ watchedId, rules: { ...rules, paused } });
    onClose();
  });
  return (
    <DialogFrame
      title={t('watched.form.changeTitle', { folder: folder.name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button appearance="primary" disabledFocusable={isIncomplete || change.busy} onClick={() => change.run()}>
            {t('watched.form.save')}
          </Button>
        </>
      }
    >
      <RulesForm rules={rules} onChange={setRules} onIncomplete={setIncomplete} />
    </DialogFrame>
  );
};
