import { useRef } from 'react';
import type { DraftRow } from '../../../contract/drafts.ts';

/**
 * The row in the panel: the active one (`at`), or the one before it while that is being read, since the panel keeps the focus.
 * While the panel goes on from a decision (`goesOn`), the table may already show a decided row there, which nobody opened:
 * a key that is pressed for the next decision would change it.
 */
export const usePanelRow = (at: DraftRow | undefined, isEmpty: boolean, goesOn: boolean): DraftRow | undefined => {
  const last = useRef<DraftRow>(undefined);
  const isAnother = at?.rowId !== last.current?.rowId;
  if (isEmpty) last.current = undefined;
  else if (at !== undefined && !(goesOn && isAnother && at.choice !== 'undecided')) last.current = at;
  return last.current;
};
