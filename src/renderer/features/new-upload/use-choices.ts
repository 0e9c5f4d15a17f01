import { useRef, useState } from 'react';
import type { DraftRow } from '../../../contract/drafts.ts';
import type { OnClash } from '../../../contract/uploads.ts';
import { useDesk, useReport } from '../../state/context.tsx';
import { t } from '../../words/words.ts';
import { rowName } from './row-words.tsx';

/** The rows that a change is for: those with `rowIds`, of which `row` is the one that people see named. */
export type Changed = { readonly row: DraftRow; readonly rowIds: readonly number[] };

type Choices = {
  /** Each resolves when the rows on screen show the change: to false if it failed or the same is in progress. */
  readonly assign: (changed: Changed, AssignmentId: string, name: string) => Promise<boolean>;
  readonly takePart: (changed: Changed, takes: boolean) => Promise<boolean>;
  readonly setClash: (rowId: number, onClash: OnClash, paths?: readonly string[]) => Promise<boolean>;
  readonly undo: () => Promise<boolean>;
};

/** The changes of a draft, one after the other. `onUndone` gets what was taken back, in words. */
export const useChoices = (onUndone: (what: string) => void): Choices => {
  const { drafts } = useDesk();
  const report = useReport();
  /** What was done here, in words, the last at the end. */
  const [done] = useState<string[]>([]);
  const running = useRef<{ readonly of: string; readonly ended: Promise<boolean> }>(undefined);
  const perform = async (act: () => Promise<unknown>, what?: string): Promise<boolean> => {
    try {
      await act();
      if (what !== undefined) done.push(what);
      return true;
    } catch (error) {
      report(error);
      return false;
    } finally {
      running.current = undefined;
    }
  };
  /** `of`: what is changed, which a key that is held down must not change twice. */
  const change = async (of: string, act: () => Promise<unknown>, what?: string): Promise<boolean> => {
    // The next row can be on screen before the answer for the one before has come: what is pressed then counts.
    if (running.current !== undefined && running.current.of !== of) await running.current.ended;
    if (running.current !== undefined) return false;
    const ended = perform(act, what);
    running.current = { of, ended };
    return ended;
  };
  return {
    assign: (changed, AssignmentId, assignment) => {
      const count = changed.rowIds.length;
      const what =
        count === 1
          ? t('newUpload.undo.assign', { folder: rowName(changed.row), assignment })
          : t('newUpload.undo.assignMany', { count, assignment });
      return change(`${changed.rowIds}`, () => drafts.assign({ rowIds: changed.rowIds, AssignmentId }), what);
    },
    takePart: (changed, takes) => {
      const kind = takes ? 'takeIn' : 'leaveOut';
      const count = changed.rowIds.length;
      const what =
        count === 1
          ? t(`newUpload.undo.${kind}`, { folder: rowName(changed.row) })
          : t(`newUpload.undo.${kind}Many`, { count });
      return change(`${changed.rowIds}`, () => drafts[kind]({ rowIds: changed.rowIds }), what);
    },
    setClash: (rowId, onClash, paths) =>
      change(`${rowId}`, () => drafts.setClash({ rowId, onClash, ...(paths && { paths }) }), t('newUpload.undo.clash')),
    undo: async () => {
      const undone = await change('undo', () => drafts.undo());
      if (undone) onUndone(done.pop() ?? t('newUpload.undo.last'));
      return undone;
    },
  };
};
