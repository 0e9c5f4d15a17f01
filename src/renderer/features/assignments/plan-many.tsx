/** Sets or clears the plan-after dates of several assignments, and undoes such a change. */
import { Button, Text } from '@fluentui/react-components';
import { compact } from 'es-toolkit';
import { useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { isPending } from '../../../contract/offline.ts';
import { ActionButton } from '../../domain/actions.tsx';
import { DateField } from '../../domain/date-field.tsx';
import { errorSentences } from '../../domain/errors.tsx';
import { useAction, useDesk, useSnapshot } from '../../state/store.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { useIsMounted } from '../../ui/hooks.ts';
import { Message } from '../../ui/message.tsx';
import { formatMoment, fromInputValue, fromMilliseconds } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

/** A plan-after date of an assignment, in the time unit of the service; undefined clears it. */
type Plan = { readonly AssignmentId: string; readonly PlanAfter: number | undefined };

/** A change of dates. `timeMs`: the new date; absent if the dates were cleared or restored. */
type Change = { readonly timeMs?: number; readonly isUndo?: boolean };

type Planned = Change & {
  /**
   * The changed assignments with their earlier dates. `PlanAfter` is undefined if there was no earlier date, or if none
   * is known.
   */
  readonly before: readonly Plan[];
  readonly cleared: number;
  readonly refused: number;
  readonly error: ErrorData | undefined;
};

const usePlanner = () => {
  const { assignments } = useDesk();
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number }>();
  const [planned, setPlanned] = useState<Planned>();

  const known = async (AssignmentId: string): Promise<number | undefined> => {
    const found = await assignments.get({ AssignmentId }).catch(() => undefined);
    return found?.planAfter?.PlanAfter || undefined;
  };
  const change = async (
    ids: readonly string[],
    dateOf: (id: string) => number | undefined,
    what: Change = {},
    signal?: AbortSignal,
  ): Promise<void> => {
    const before: Plan[] = [];
    let error: ErrorData | undefined;
    let [cleared, refused] = [0, 0];
    setPlanned(undefined);
    for (const [done, AssignmentId] of ids.entries()) {
      if (signal?.aborted) break;
      setProgress({ done, all: ids.length });
      const earlier = await known(AssignmentId);
      const PlanAfter = dateOf(AssignmentId);
      try {
        await assignments.planAfter({ AssignmentId, PlanAfter });
        before.push({ AssignmentId, PlanAfter: earlier });
        cleared += Number(PlanAfter === undefined);
      } catch (cause) {
        refused += 1;
        error ??= toErrorData(cause);
      }
    }
    setProgress(undefined);
    setPlanned({ ...what, before, cleared, refused, error });
  };
  return {
    /** How many assignments of the change in progress are done; undefined if none is in progress. */
    progress,
    planned,
    dismiss: (): void => setPlanned(undefined),
    // Once `signal` is aborted, `set` and `clear` leave the assignments that they have not reached as they are.
    set: async (ids: readonly string[], timeMs: number, signal: AbortSignal): Promise<void> => {
      const PlanAfter = fromMilliseconds(timeMs, await assignments.timeUnit());
      return change(ids, () => PlanAfter, { timeMs }, signal);
    },
    clear: (ids: readonly string[], signal: AbortSignal): Promise<void> => change(ids, () => undefined, {}, signal),
    undo: ({ before }: Planned): Promise<void> => {
      const dates = new Map(before.map(({ AssignmentId, PlanAfter }) => [AssignmentId, PlanAfter]));
      return change([...dates.keys()], (id) => dates.get(id), { isUndo: true });
    },
  };
};

type Planner = ReturnType<typeof usePlanner>;

type PlanManyProps = {
  /** The assignments whose date the user chooses in a dialog; undefined while the dialog is closed. */
  readonly ids: readonly string[] | undefined;
  readonly onClose: () => void;
  readonly onPlanned: () => void;
};

/** A dialog for the date, and a note with the progress and the outcome of the last change. */
export const PlanMany = ({ ids, ...handlers }: PlanManyProps) => {
  const planner = usePlanner();
  return (
    <>
      <PlannedNote planner={planner} />
      {ids && <PlanDialog ids={ids} planner={planner} {...handlers} />}
    </>
  );
};

type PlanDialogProps = PlanManyProps & { readonly ids: readonly string[]; readonly planner: Planner };

const PlanDialog = ({ ids, planner, onClose, onPlanned }: PlanDialogProps) => {
  const [value, setValue] = useState('');
  const [missing, setMissing] = useState(false);
  const { progress } = planner;
  const isOpen = useIsMounted();
  const [closing] = useState(() => new AbortController());
  const save = (): Promise<void> | undefined => {
    const timeMs = fromInputValue(value);
    setMissing(timeMs === undefined);
    return timeMs === undefined ? undefined : planner.set(ids, timeMs, closing.signal);
  };
  const clear = async (): Promise<void> => {
    await planner.clear(ids, closing.signal);
    if (isOpen.current) onPlanned();
  };
  return (
    <DialogFrame
      title={t('work.plan.title', { count: ids.length })}
      onClose={() => {
        closing.abort();
        onClose();
      }}
      actions={
        <ActionButton disabled={progress !== undefined} act={clear}>
          {t('common.clearDate')}
        </ActionButton>
      }
      main={{ label: t('work.plan.save'), disabled: progress !== undefined, act: save, onDone: onPlanned }}
    >
      <DateField
        label={t('work.plan.field')}
        message={missing ? t('assignment.planAfter.missing') : undefined}
        withTime
        value={value}
        onChange={(next) => {
          setValue(next);
          setMissing(false);
        }}
      />
      <Text>{progress && t('work.plan.progress', progress)}</Text>
    </DialogFrame>
  );
};

/**
 * Describes the outcome of a change. `waiting`: the number of dates that are still to be sent. Undoing a change clears
 * the dates of assignments whose earlier date is unknown.
 */
const plannedText = ({ timeMs, before, cleared }: Planned, waiting: number): string => {
  const count = before.length - cleared;
  return compact([
    count > 0 &&
      (timeMs === undefined
        ? t('work.plan.restored', { count })
        : t('work.plan.set', { count, at: formatMoment(timeMs) })),
    cleared > 0 && t('work.plan.cleared', { count: cleared }),
    waiting > 0 && t('work.plan.waiting', { count: waiting }),
  ]).join(' ');
};

/**
 * Shows the progress or the outcome of the last change of several assignments. A button undoes the change, unless the
 * change was itself an undo.
 */
const PlannedNote = ({ planner }: { readonly planner: Planner }) => {
  const { planned, progress, dismiss, undo } = planner;
  const undone = useAction(undo);
  const outbox = useSnapshot((snapshot) => snapshot.outbox);
  if (progress !== undefined) return <Message intent="info">{t('work.plan.progress', progress)}</Message>;
  if (planned === undefined) return null;
  const { isUndo, before, refused, error } = planned;
  const ids = new Set(before.map(({ AssignmentId }) => AssignmentId));
  const waiting = outbox.filter((one) => one.kind === 'plan-after' && isPending(one) && ids.has(one.AssignmentId));
  return (
    <>
      {before.length > 0 && (
        <Message
          intent="info"
          action={
            <>
              {!isUndo && (
                <Button size="small" title={t('work.plan.undoHint')} onClick={() => undone.run(planned)}>
                  {t('common.undo')}
                </Button>
              )}
              <Button size="small" onClick={dismiss}>
                {t('common.dismiss')}
              </Button>
            </>
          }
        >
          {plannedText(planned, waiting.length)}
        </Message>
      )}
      {error !== undefined && (
        <Message intent="error" title={t('work.plan.refused', { count: refused })}>
          {errorSentences(error)}
        </Message>
      )}
    </>
  );
};
