import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { type FormEvent, useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import type { KnownAssignment } from '../../../contract/resources.ts';
import { ChangeBar, PendingChanges, type PlanAfterChange, planAfterText } from '../../domain/assignments/changes.tsx';
import { DateField } from '../../domain/date-field.tsx';
import { type Action, useAction, useDesk, useSnapshot } from '../../state/context.tsx';
import { closeDialog } from '../../ui/dialogs.tsx';
import { later } from '../../ui/later.tsx';
import { Minor } from '../../ui/page.tsx';
import {
  formatMoment,
  fromInputValue,
  fromMilliseconds,
  toInputValue,
  toMilliseconds,
  unitOf,
} from '../../words/dates.ts';
import { t } from '../../words/words.ts';

const ConfirmDialog = later(async () => (await import('../../ui/dialog-frame.tsx')).ConfirmDialog);

/** Times are chosen to the minute: the current minute is not in the past. */
const minuteMs = 60_000;

const useStyles = makeStyles({
  state: { display: 'block', marginTop: tokens.spacingVerticalS },
  undo: { marginTop: tokens.spacingVerticalXS },
});

/** The value after a change; undefined until one was made, since the service returns the value only then. */
type Changed =
  | {
      readonly raw: number | undefined;
      /** Restores the value before; undefined after an undo. */
      readonly undo: Step | undefined;
    }
  | undefined;

type Step = PlanAfterChange & { readonly isUndo?: boolean };

const stateText = (changed: Changed, last: LastAnswer): string => {
  if (changed !== undefined)
    return changed.raw === undefined
      ? t('assignment.planAfter.cleared')
      : t('assignment.planAfter.saved', { at: formatMoment(toMilliseconds(changed.raw)) });
  if (last === undefined) return t('assignment.planAfter.unknown');
  const on = formatMoment(last.answeredAtMs);
  // The service returns 0 when the date is cleared.
  return last.PlanAfter === 0
    ? t('assignment.planAfter.lastCleared', { on })
    : t('assignment.planAfter.last', { at: formatMoment(toMilliseconds(last.PlanAfter)), on });
};

/** The service's last response to a change, and its time. */
type LastAnswer = KnownAssignment['planAfter'];

type PlanAfterProps = {
  readonly id: string;
  /** Another time from the service, which shows whether it uses seconds or milliseconds. */
  readonly sample?: number | undefined;
  readonly last: LastAnswer;
};

/** Sets or clears the date after which the assignment is planned. */
export const PlanAfter = ({ id, sample, last }: PlanAfterProps) => {
  const styles = useStyles();
  const desk = useDesk();
  const [value, setValue] = useState('');
  const [missing, setMissing] = useState(false);
  const [changed, setChanged] = useState<Changed>();
  // The service says 0 where there is no date.
  const before = changed === undefined ? last?.PlanAfter || undefined : changed.raw;
  const change = useChange(async ({ PlanAfter, isUndo = false }: Step) => {
    const { PlanAfter: raw, waiting } = await desk.assignments.planAfter({ AssignmentId: id, PlanAfter });
    if (PlanAfter === undefined) setValue('');
    else if (!waiting) setValue(toInputValue(toMilliseconds(raw)));
    // A pending change makes the known value out of date.
    const undo = isUndo ? undefined : { PlanAfter: before, isUndo: true };
    setChanged(waiting ? undefined : { raw: PlanAfter === undefined ? undefined : raw, undo });
  });
  const isPending = useSnapshot(({ outbox }) =>
    outbox.some(({ AssignmentId, kind }) => AssignmentId === id && kind === 'plan-after'),
  );
  /** A time in the past, and the button that would save it. */
  const [past, setPast] = useState<{ readonly timeMs: number; readonly opener: HTMLElement | null }>();
  const [asksPast, setAsksPast] = useState(false);
  const save = (timeMs: number): void => change.run({ PlanAfter: fromMilliseconds(timeMs, unitOf(sample ?? 0)) });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const timeMs = fromInputValue(value);
    setMissing(timeMs === undefined);
    if (timeMs === undefined) event.currentTarget.querySelector('input')?.focus();
    else if (timeMs < Date.now() - minuteMs) {
      setPast({ timeMs, opener: event.currentTarget.querySelector<HTMLElement>('button[type="submit"]') });
      setAsksPast(true);
    } else save(timeMs);
  };
  const edit = (text: string): void => {
    setValue(text);
    setMissing(false);
    change.dismiss();
  };
  const clear = (): void => {
    setMissing(false);
    change.run({});
  };
  // A pending or rejected change has a message and buttons of its own.
  const isSettled = !isPending && change.rejected === undefined;
  const undo = isSettled ? changed?.undo : undefined;
  return (
    <form onSubmit={submit} noValidate>
      <DateField
        label={t('assignment.planAfter.field')}
        message={missing ? t('assignment.planAfter.missing') : undefined}
        withTime
        value={value}
        onChange={edit}
        actions={
          <>
            <Button type="submit" disabledFocusable={change.busy}>
              {t('assignment.planAfter.save')}
            </Button>
            <Button appearance="subtle" disabledFocusable={change.busy} onClick={clear}>
              {t('assignment.planAfter.clear')}
            </Button>
          </>
        }
      />
      <Minor className={styles.state} role="status">
        {isSettled && stateText(changed, last)}
      </Minor>
      {undo && (
        <Button
          className={styles.undo}
          size="small"
          title={t('work.plan.undoHint')}
          disabledFocusable={change.busy}
          onClick={({ currentTarget }) => {
            // The button goes with the change.
            currentTarget.form?.querySelector('input')?.focus();
            change.run(undo);
          }}
        >
          {t('work.plan.undo')}
        </Button>
      )}
      <RejectedChange action={change} describe={planAfterText} />
      <PendingChanges id={id} kind="plan-after" />
      {past !== undefined && (
        <ConfirmDialog
          title={t('assignment.planAfter.pastQuestion')}
          action={t('assignment.planAfter.save')}
          keep={t('common.cancel')}
          open={asksPast}
          onConfirm={() => save(past.timeMs)}
          onClose={() => closeDialog(() => setAsksPast(false), past.opener)}
        >
          {t('assignment.planAfter.pastExplained', { at: formatMoment(past.timeMs) })}
        </ConfirmDialog>
      )}
    </form>
  );
};

type RejectedChangeProps<C> = {
  readonly action: ChangeAction<C>;
  /** The change in words. */
  readonly describe: (change: C) => string;
};

/** The last change, if the service rejected it. */
export const RejectedChange = <C,>({ action: { rejected, busy, run, dismiss }, describe }: RejectedChangeProps<C>) =>
  rejected && (
    <ChangeBar
      title={describe(rejected.change)}
      error={rejected.error}
      busy={busy}
      onRetry={() => run(rejected.change)}
      discard={t('common.dismiss')}
      onDiscard={dismiss}
    />
  );

export type ChangeAction<C> = Action<[change: C]> & {
  /** The last change, if it was rejected; until one succeeds or it is dismissed. */
  readonly rejected: { readonly change: C; readonly error: ErrorData } | undefined;
  readonly dismiss: () => void;
};

/** Changes a value at the service. A rejected change is kept, so that it can be shown next to the value. */
export const useChange = <C,>(make: (change: C) => Promise<unknown>): ChangeAction<C> => {
  const [rejected, setRejected] = useState<ChangeAction<C>['rejected']>();
  const { run, busy } = useAction(async (change: C) => {
    try {
      await make(change);
      setRejected(undefined);
    } catch (error) {
      setRejected({ change, error: toErrorData(error) });
    }
  });
  return { run, busy, rejected, dismiss: () => setRejected(undefined) };
};
