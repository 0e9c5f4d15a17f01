import { useRef, useState } from 'react';
import type { DraftRow } from '../../../contract/drafts.ts';
import type { OnClash } from '../../../contract/names.ts';
import { useDesk } from '../../state/context.tsx';
import { useReport } from '../../state/use-report.ts';
import { t } from '../../words/words.ts';
import { rowName } from './row-words.ts';

/** The rows that a change is for: those with `rowIds`, of which `row` is the one that people see named. */
export type Changed = { readonly row: DraftRow; readonly rowIds: readonly number[] };

export type Choices = {
  /** Each resolves when the rows on screen show the change: to false if it failed or another one is in progress. */
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
  const running = useRef<Promise<boolean>>(undefined);
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
  const change = async (act: () => Promise<unknown>, what?: string): Promise<boolean> => {
    // A key that is held down must not change the next row before anyone has seen it.
    if (running.current !== undefined) return false;
    running.current = perform(act, what);
    return running.current;
  };
  const foldersOf = ({ row, rowIds }: Changed) => ({
    folder: rowName(row),
    folders: t('count.folder', { count: rowIds.length }),
  });
  return {
    assign: (changed, AssignmentId, assignment) => {
      const { folder, folders } = foldersOf(changed);
      const what =
        changed.rowIds.length === 1
          ? t('newUpload.undo.assign', { folder, assignment })
          : t('newUpload.undo.assignMany', { folders, assignment });
      return change(() => drafts.assign({ rowIds: changed.rowIds, AssignmentId }), what);
    },
    takePart: (changed, takes) => {
      const kind = takes ? 'takeIn' : 'leaveOut';
      const { folder, folders } = foldersOf(changed);
      const what =
        changed.rowIds.length === 1
          ? t(`newUpload.undo.${kind}`, { folder })
          : t(`newUpload.undo.${kind}Many`, { folders });
      return change(() => drafts[kind]({ rowIds: changed.rowIds }), what);
    },
    setClash: (rowId, onClash, paths) =>
      change(() => drafts.setClash({ rowId, onClash, ...(paths && { paths }) }), t('newUpload.undo.clash')),
    undo: async () => {
      // What is to be taken back can be on screen before the answer to its call has come.
      await running.current;
      const undone = await change(() => drafts.undo());
      if (undone) onUndone(done.pop() ?? t('newUpload.undo.last'));
      return undone;
    },
  };
};
