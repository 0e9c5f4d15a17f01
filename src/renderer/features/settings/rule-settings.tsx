import { Button, makeStyles, Text } from '@fluentui/react-components';
import { Delete20Regular, Edit20Regular } from '@fluentui/react-icons';
import { Suspense } from 'react';
import type { MatchingRule } from '../../../contract/drafts.ts';
import { assignmentName } from '../../../contract/resources.ts';
import { FailureBar } from '../../domain/errors.tsx';
import { useRules } from '../../queries/answers.ts';
import { useAction, useDesk } from '../../state/context.tsx';
import type { Column } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Confirm, useDialog } from '../../ui/dialogs.tsx';
import { later } from '../../ui/later.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { formatDay } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

const RuleDialog = later(async () => (await import('./rule-dialog.tsx')).RuleDialog);

const useStyles = makeStyles({
  /** As high as its rows, up to a limit where it scrolls. */
  table: { display: 'flex', flexDirection: 'column', maxHeight: '320px' },
});

const assignmentOf = ({ assignment, AssignmentId }: MatchingRule): string =>
  (assignment && assignmentName(assignment)) || AssignmentId;

/** The assignments that people chose for folders, by the folders' names; each can be changed or removed, or all be removed. */
export const RuleSettings = () => {
  const styles = useStyles();
  const desk = useDesk();
  const { value, error, reload } = useRules();
  const remove = useAction((ruleId: number) => desk.rules.remove({ ruleIds: [ruleId] }));
  const clear = useAction(desk.rules.clear);
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
          <Button
            appearance="subtle"
            icon={<Delete20Regular />}
            disabledFocusable={remove.busy}
            aria-label={t('settings.rules.removeNamed', { name: rule.name })}
            onClick={() => remove.run(rule.ruleId)}
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
          <div className={styles.table} style={{ height: 36 + rules.length * 40 + 1 }}>
            <DataTable
              id="matching-rules"
              label={t('settings.rules.title')}
              columns={columns}
              count={rules.length}
              rowAt={(index) => rules[index]}
              rowKey={({ ruleId }) => ruleId}
            />
          </div>
          {changing.about && (
            <Suspense>
              <RuleDialog rule={changing.about} onClose={changing.close} />
            </Suspense>
          )}
          <div>
            <Confirm
              title={t('settings.rules.clearQuestion')}
              action={t('settings.rules.clearAction')}
              onConfirm={() => clear.run()}
              trigger={<Button disabledFocusable={clear.busy}>{t('settings.rules.clear')}</Button>}
            >
              {t('settings.rules.clearExplained')}
            </Confirm>
          </div>
        </>
      )}
    </>
  );
};
