import { Button, makeStyles, Text } from '@fluentui/react-components';
import { Delete20Regular, Edit20Regular } from '@fluentui/react-icons';
import { Suspense, useRef, useState } from 'react';
import type { MatchingRule } from '../../../contract/drafts.ts';
import { type Hours, LeaveRoom, type LimitPeriod, type UploadLimit, WORKING_HOURS } from '../../../contract/hours.ts';
import type { Preferences } from '../../../contract/preferences.ts';
import { assignmentName } from '../../../contract/resources.ts';
import { AutomaticReceipt } from '../../../contract/uploads.ts';
import { TimeRange } from '../../domain/date-field.tsx';
import { FailureBar } from '../../domain/errors.tsx';
import { useManaged } from '../../domain/managed.tsx';
import { hoursChoice, hoursChoices, isOnWorkingDays, withChoice } from '../../domain/uploads/hours-choice.ts';
import { useRules } from '../../queries/answers.ts';
import { useAction, useDesk, useSnapshot } from '../../state/context.tsx';
import type { Column } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Confirm, useDialog } from '../../ui/dialogs.tsx';
import { later } from '../../ui/later.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { formatDay, formatTimeOfDay } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { SettingChoice } from './setting-choice.tsx';

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

type Concurrency = Preferences['concurrency'];

const usual = [1, 2, 4, 8, 16, 32, 64];

/** How many files are uploaded at the same time, when and how fast, and the receipt that an upload ends with. */
export const UploadSettings = () => {
  const { preferences } = useDesk();
  const concurrency = useSnapshot((snapshot) => snapshot.preferences.concurrency);
  const isFixed = useManaged('uploads.concurrency');
  const choose = useAction((value: Concurrency) => preferences.set({ concurrency: value }));
  const receipt = useSnapshot((snapshot) => snapshot.preferences.uploadReceipt ?? 'none');
  const chooseReceipt = useAction((uploadReceipt: AutomaticReceipt) => preferences.set({ uploadReceipt }));
  const leaveRoom = useSnapshot((snapshot) => snapshot.preferences.leaveRoom);
  const chooseLeaveRoom = useAction((value: LeaveRoom) => preferences.set({ leaveRoom: value }));
  const chosen = concurrency === 'auto' ? [] : [concurrency];
  const choices = [...new Set([...usual, ...chosen])].sort((a, b) => a - b);
  return (
    <>
      <SettingChoice
        label={t('settings.concurrency')}
        hint={isFixed ? undefined : t('settings.concurrencyHint')}
        path="uploads.concurrency"
        value={concurrency}
        choices={[
          { value: 'auto', name: t('settings.concurrencyAuto') },
          ...choices.map((value) => ({ value, name: String(value) })),
        ]}
        onChoose={choose.run}
      />
      <SpeedSettings />
      <SettingChoice
        label={t('settings.leaveRoom')}
        hint={t('settings.leaveRoomHint', {
          from: formatTimeOfDay(WORKING_HOURS.from),
          to: formatTimeOfDay(WORKING_HOURS.to),
        })}
        path="uploads.leaveRoom"
        value={leaveRoom}
        choices={LeaveRoom.options.map((value) => ({ value, name: t(`settings.leaveRoomWhen.${value}`) }))}
        onChoose={chooseLeaveRoom.run}
      />
      <HoursSettings />
      <SettingChoice
        label={t('settings.receipt')}
        hint={t('settings.receiptHint')}
        value={receipt}
        choices={AutomaticReceipt.options.map((value) => ({
          value,
          name: value === 'none' ? t('settings.receiptNone') : t(`uploads.receipt.format.${value}`),
        }))}
        onChoose={chooseReceipt.run}
      />
    </>
  );
};

const ANY_TIME: Hours = [];

/** When new uploads run, unless another time is chosen for them. */
const HoursSettings = () => {
  const { preferences } = useDesk();
  const managed = useManaged('uploads.hours');
  const kept = useSnapshot((snapshot) => snapshot.preferences.uploadHours ?? ANY_TIME);
  const [hours, set] = useSetting<Hours>(kept, (uploadHours) => preferences.set({ uploadHours }));
  const choice = hoursChoice(hours);
  const [period] = hours;
  return (
    <>
      <SettingChoice
        label={t('settings.hours')}
        hint={t('settings.hoursHint')}
        path="uploads.hours"
        value={choice}
        choices={hoursChoices(hours)}
        onChoose={(chosen) => set(withChoice(hours, chosen))}
      />
      {period && choice !== 'special' && (
        <TimeRange
          from={period.from}
          to={period.to}
          readOnly={managed}
          labels={{ from: t('watched.form.from'), to: t('watched.form.to') }}
          onChange={(change) => set([{ ...period, ...change }])}
        />
      )}
    </>
  );
};

const bytesPerMegabit = 125_000;
const usualMegabits = [1, 2, 5, 10, 25, 50, 100, 250];
const none = 0;

const workingHours = { from: '08:00', to: '17:00', days: [1, 2, 3, 4, 5] } as const;

const choicesWith = (chosen: number, free: string) => [
  { value: none, name: free },
  ...[...new Set([...usualMegabits, ...(chosen === none ? [] : [chosen])])]
    .sort((a, b) => a - b)
    .map((value) => ({ value, name: t('settings.megabits', { count: value }) })),
];

const megabitsOf = (limit: { readonly bytesPerSecond?: number | undefined } | undefined): number =>
  (limit?.bytesPerSecond ?? none) / bytesPerMegabit;

/** The speed limit of uploads: always, and in the first period of the schedule. Other periods stay as they are. */
const SpeedSettings = () => {
  const { preferences } = useDesk();
  const managed = useManaged('uploads.limit');
  const kept = useSnapshot((snapshot) => snapshot.preferences.uploadLimit);
  const [limit, set] = useSetting<UploadLimit>(kept ?? { schedule: [] }, (uploadLimit) =>
    preferences.set({ uploadLimit }),
  );
  const { schedule, ...fixed } = limit;
  const [hours, ...others] = schedule;

  const setAlways = (megabits: number): void =>
    set({ schedule, ...(megabits !== none && { bytesPerSecond: megabits * bytesPerMegabit }) });
  const setHours = (period: LimitPeriod | undefined): void =>
    set({ ...fixed, schedule: period ? [period, ...others] : others });

  return (
    <>
      <SettingChoice
        label={t('settings.speed')}
        path="uploads.limit"
        value={megabitsOf(fixed)}
        choices={choicesWith(megabitsOf(fixed), t('settings.noLimit'))}
        onChoose={setAlways}
      />
      <SettingChoice
        label={t('settings.speedInHours')}
        hint={hours && !isOnWorkingDays(hours.days) ? undefined : t('settings.speedInHoursHint')}
        path="uploads.limit"
        value={megabitsOf(hours)}
        choices={choicesWith(megabitsOf(hours), t('settings.asAlways'))}
        onChoose={(megabits) =>
          setHours(
            megabits === none ? undefined : { ...workingHours, ...hours, bytesPerSecond: megabits * bytesPerMegabit },
          )
        }
      />
      {hours && (
        <TimeRange
          from={hours.from}
          to={hours.to}
          readOnly={managed}
          labels={{ from: t('settings.speedFrom'), to: t('settings.speedTo') }}
          onChange={(change) => setHours({ ...hours, ...change })}
        />
      )}
    </>
  );
};

/**
 * A setting that is changed in several steps, and how to change it: the last choice counts until it is stored, so that a
 * choice made meanwhile builds on it. `store` is called once at a time, in the order of the choices.
 */
export const useSetting = <T extends object>(
  kept: T,
  store: (value: T) => Promise<unknown>,
): readonly [T, (value: T) => void] => {
  const [chosen, setChosen] = useState<T>();
  const before = useRef<Promise<unknown>>(Promise.resolve());
  const set = useAction((value: T) => {
    setChosen(value);
    const change = before.current.then(() => store(value));
    before.current = change.catch(() => {});
    return change.finally(() => setChosen((latest) => (latest === value ? undefined : latest)));
  });
  return [chosen ?? kept, set.run];
};
