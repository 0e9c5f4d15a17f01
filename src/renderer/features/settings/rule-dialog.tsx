import { Button, Field, Text } from '@fluentui/react-components';
import { useState } from 'react';
import type { MatchingRule } from '../../../contract/drafts.ts';
import { TargetField } from '../../domain/assignments/target-field.tsx';
import { useAction, useDesk } from '../../state/context.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { t } from '../../words/words.ts';

type RuleDialogProps = { readonly rule: MatchingRule; readonly onClose: () => void };

/** Gives a rule another assignment. */
export const RuleDialog = ({ rule, onClose }: RuleDialogProps) => {
  const { rules } = useDesk();
  const [AssignmentId, choose] = useState(rule.AssignmentId);
  const save = useAction(async () => {
    await rules.set({ ruleId: rule.ruleId, AssignmentId });
    onClose();
  });
  return (
    <DialogFrame
      title={t('settings.rules.changeTitle', { name: rule.name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            appearance="primary"
            disabledFocusable={save.busy || AssignmentId === rule.AssignmentId}
            onClick={() => save.run()}
          >
            {t('settings.rules.save')}
          </Button>
        </>
      }
    >
      <Text>{t('settings.rules.changeExplained')}</Text>
      <Field label={t('settings.rules.assignment')}>
        <TargetField chosenId={AssignmentId} onChoose={choose} />
      </Field>
    </DialogFrame>
  );
};
