import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { type FormEvent, Suspense, useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import type { KnownAssignment } from '../../../contract/resources.ts';
import { ChangeBar, PendingChanges, type PlanAfterChange, planAfterText } from '../../domain/assignments/changes.tsx';
import { DateField } from '../../domain/date-field.tsx';
import { type Action, useAction, useDesk, useSnapshot } from '../../state/context.tsx';
import { closeDialog } from '../../ui/dialogs.tsx';
import { later } from '../../ui/later.ts';
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
  state: { display: 'block', marginTop: tokens.spacingVerticalS, color: tokens.colorNeutralForeground3 },
});

/** What is known of the value: the service returns it only in answer to a change. */
type Known =
  | { readonly state: 'unknown' }
  | { readonly state: 'cleared' }
  | { readonly state: 'set'; readonly raw: number };

const stateText = (known: Known, last: LastAnswer): string => {
  switch (known.state) {
    case 'unknown':
      if (last === undefined) return t('assignment.planAfter.unknown');
      // The service answers 0 when the date is cleared.
      if (last.PlanAfter === 0) return t('assignment.planAfter.lastCleared', { on: formatMoment(last.answeredAtMs) });
      return t('assignment.planAfter.last', {
        at: formatMoment(toMilliseconds(last.PlanAfter)),
        on: formatMoment(last.answeredAtMs),
      });
    case 'cleared':
      return t('assignment.planAfter.cleared');
    case 'set':
      return t('assignment.planAfter.saved', { at: formatMoment(toMilliseconds(known.raw)) });
  }
};

/** What the service last answered to a change, and when. */
type LastAnswer = KnownAssignment['planAfter'];

type PlanAfterProps = {
  readonly id: string;
  /** Another time from the same service, which shows whether it counts seconds or milliseconds. */
  readonly sample?: number | undefined;
  readonly last: LastAnswer;
};

/** Sets or clears the date after which the assignment is planned. */
export const PlanAfter = ({ id, sample, last }: PlanAfterProps) => {
  const styles = useStyles();
  const desk = useDesk();
  const [value, setValue] = useState('');
  const [missing, setMissing] = useState(false);
  const [known, setKnown] = useState<Known>({ state: 'unknown' });
  const change = useChange(async ({ PlanAfter }: PlanAfterChange) => {
    const { PlanAfter: raw, waiting } = await desk.assignments.planAfter({ AssignmentId: id, PlanAfter });
    if (PlanAfter === undefined) setValue('');
    else if (!waiting) setValue(toInputValue(toMilliseconds(raw)));
    // A pending change makes the known value out of date.
    if (waiting) setKnown({ state: 'unknown' });
    else setKnown(PlanAfter === undefined ? { state: 'cleared' } : { state: 'set', raw });
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
      <Text className={styles.state} role="status">
        {/* A pending or rejected change has its own message: one at a time. */}
        {!isPending && change.rejected === undefined && stateText(known, last)}
      </Text>
      <RejectedChange action={change} describe={planAfterText} />
      <PendingChanges id={id} kind="plan-after" />
      {past !== undefined && (
        <Suspense>
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
        </Suspense>
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

/** Changes a value at the service. A rejected change is kept, to be shown beside the value. */
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
