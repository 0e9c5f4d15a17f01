/** Sets or clears the plan-after dates of several assignments, and undoes such a change. */
import { useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { useDesk } from '../../state/store.tsx';
import { fromMilliseconds, unitOf } from '../../words/dates.ts';

/** A plan-after date of an assignment, in the time unit of the service; undefined clears it. */
type Plan = { readonly AssignmentId: string; readonly PlanAfter: number | undefined };

export type Planned = {
  readonly kind: 'set' | 'cleared' | 'restored';
  readonly timeMs: number | undefined;
  /** The changed assignments with their earlier dates. `PlanAfter` is undefined if the earlier date is unknown. */
  readonly before: readonly Plan[];
  readonly cleared: number;
  readonly waiting: number;
  readonly refused: readonly Plan[];
  readonly error: ErrorData | undefined;
};

type Progress = { readonly done: number; readonly all: number };

export const usePlanMany = () => {
  const { assignments } = useDesk();
  const [progress, setProgress] = useState<Progress>();
  const [planned, setPlanned] = useState<Planned>();

  const known = async (AssignmentId: string) => {
    const found = await assignments.get({ AssignmentId }).catch(() => undefined);
    const { StartTime = 0 } = found?.assignment ?? {};
    return { PlanAfter: found?.planAfter?.PlanAfter || undefined, unit: unitOf(StartTime) };
  };
  const change = async (
    ids: readonly string[],
    kind: Planned['kind'],
    dateOf: (id: string, unit: ReturnType<typeof unitOf>) => number | undefined,
    timeMs?: number,
  ): Promise<void> => {
    const before: Plan[] = [];
    const refused: Plan[] = [];
    let error: ErrorData | undefined;
    let [cleared, waiting] = [0, 0];
    setPlanned(undefined);
    for (const [done, AssignmentId] of ids.entries()) {
      setProgress({ done, all: ids.length });
      const { PlanAfter: earlier, unit } = await known(AssignmentId);
      const PlanAfter = dateOf(AssignmentId, unit);
      try {
        const changed = await assignments.planAfter({ AssignmentId, PlanAfter });
        before.push({ AssignmentId, PlanAfter: earlier });
        cleared += Number(PlanAfter === undefined);
        waiting += Number(changed.waiting);
      } catch (cause) {
        refused.push({ AssignmentId, PlanAfter });
        error ??= toErrorData(cause);
      }
    }
    setProgress(undefined);
    setPlanned({ kind, timeMs, before, cleared, waiting, refused, error });
  };
  return {
    /** How many assignments are done, of how many in all; undefined while no change is in progress. */
    progress,
    planned,
    dismiss: (): void => setPlanned(undefined),
    set: (ids: readonly string[], timeMs: number): Promise<void> =>
      change(ids, 'set', (_, unit) => fromMilliseconds(timeMs, unit), timeMs),
    clear: (ids: readonly string[]): Promise<void> => change(ids, 'cleared', () => undefined),
    undo: ({ before }: Planned): Promise<void> => {
      const dates = new Map(before.map(({ AssignmentId, PlanAfter }) => [AssignmentId, PlanAfter]));
      return change([...dates.keys()], 'restored', (id) => dates.get(id));
    },
  };
};
