import { Button, Field, Text } from '@fluentui/react-components';
import { Delete20Regular, Edit20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { MatchingRule } from '../../../contract/drafts.ts';
import { assignmentName } from '../../../contract/resources.ts';
import { ActionButton } from '../../domain/actions.tsx';
import { TargetField } from '../../domain/assignments/target-field.tsx';
import { FailureBar } from '../../domain/errors.tsx';
import { TaskDialog } from '../../domain/task-dialog.tsx';
import { useRules } from '../../queries/answers.ts';
import { useDesk } from '../../state/context.tsx';
import type { Column } from '../../ui/data-table/columns.tsx';
import { DataTable, TableBox } from '../../ui/data-table/data-table.tsx';
import { useDialog } from '../../ui/dialogs.tsx';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Line } from '../../ui/page.tsx';
import { formatDay } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

const assignmentOf = ({ assignment, AssignmentId }: MatchingRule): string =>
  (assignment && assignmentName(assignment)) || AssignmentId;

/** The assignments that users chose for folders, by the folders' names. Each rule can be changed or removed, or all of them. */
export const RuleSettings = () => {
  const desk = useDesk();
  const { value, error, reload } = useRules();
  const changing = useDialog<MatchingRule>();
  const rules = value?.rules ?? [];
  const columns: readonly Column<MatchingRule>[] = [
    {
      id: 'Folder',
      header: () => t('settings.rules.folder'),
      cell: ({ name }) => <MiddleCut name={name} />,
      text: ({ name }) => name,
    },
    { id: 'Assignment', header: () => t('settings.rules.assignment'), width: '42%', cell: assignmentOf },
    {
      id: 'Confirmed',
      header: () => t('settings.rules.confirmed'),
      width: '120px',
      minor: true,
      cell: ({ confirmedAtMs }) => formatDay(confirmedAtMs),
    },
    {
      id: 'Actions',
      header: () => t('settings.rules.actions'),
      width: '108px',
      cell: (rule) => (
        <>
          <Button
            appearance="subtle"
            icon={<Edit20Regular />}
            aria-label={t('settings.rules.changeNamed', { name: rule.name })}
            onClick={({ currentTarget }) => changing.open(currentTarget, rule)}
          />
          <ActionButton
            appearance="subtle"
            icon={<Delete20Regular />}
            aria-label={t('settings.rules.removeNamed', { name: rule.name })}
            act={() => desk.rules.remove({ ruleIds: [rule.ruleId] })}
          />
        </>
      ),
    },
  ];
  return (
    <>
      {error !== undefined && <FailureBar error={error} onRetry={reload} />}
      <Text>{rules.length === 0 ? t('settings.rules.none') : t('settings.rules.explained')}</Text>
      {rules.length > 0 && (
        <>
          <TableBox rows={rules.length} maxHeight={320}>
            <DataTable
              id="matching-rules"
              label={t('settings.rules.title')}
              columns={columns}
              count={rules.length}
              rowAt={(index) => rules[index]}
              rowKey={({ ruleId }) => ruleId}
            />
          </TableBox>
          {changing.about && <RuleDialog rule={changing.about} onClose={changing.close} />}
          <Line>
            <ActionButton
              act={desk.rules.clear}
              question={{
                title: t('settings.rules.clearQuestion'),
                text: t('settings.rules.clearExplained'),
                action: t('settings.rules.clearAction'),
              }}
            >
              {t('settings.rules.clear')}
            </ActionButton>
          </Line>
        </>
      )}
    </>
  );
};

type RuleDialogProps = { readonly rule: MatchingRule; readonly onClose: () => void };

/** Changes the assignment of a rule. */
const RuleDialog = ({ rule, onClose }: RuleDialogProps) => {
  const { rules } = useDesk();
  const [AssignmentId, choose] = useState(rule.AssignmentId);
  return (
    <TaskDialog
      title={t('settings.rules.changeTitle', { name: rule.name })}
      action={t('settings.rules.save')}
      act={() => rules.set({ ruleId: rule.ruleId, AssignmentId })}
      disabled={AssignmentId === rule.AssignmentId}
      onClose={onClose}
    >
      <Text>{t('settings.rules.changeExplained')}</Text>
      <Field label={t('settings.rules.assignment')}>
        <TargetField chosenId={AssignmentId} onChoose={choose} />
      </Field>
    </TaskDialog>
  );
};
