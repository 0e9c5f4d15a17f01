import { useEffect, useMemo, useState } from 'react';
import type { Found } from '../../../contract/offline.ts';
import { useDesk, useSnapshot } from '../../app/context.tsx';
import { assignmentResult, batchResult, findBatches, protocolResult, type SearchResult } from './search-result.ts';

export type Search = {
  readonly results: readonly SearchResult[];
  /** The text that `results` are for; empty before the first answer. */
  readonly searched: string;
};

/** How many of one kind are shown. */
const limit = 6;
const longestText = 200;

type Answer = { readonly text: string; readonly found: Found };

const nothing: Found = { protocols: [], protocolTotal: 0, assignments: [], assignmentTotal: 0 };

/** What is found for `text` on this computer: protocols and assignments that were read, and uploads. */
export const useSearch = (text: string): Search => {
  const desk = useDesk();
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const [answer, setAnswer] = useState<Answer>({ text: '', found: nothing });
  useEffect(() => {
    if (text === '') return;
    let current = true;
    const show = (found: Found) => current && setAnswer({ text, found });
    // Uploads are found all the same.
    desk.search.find({ text: text.slice(0, longestText), limit }).then(show, () => show(nothing));
    return () => {
      current = false;
    };
  }, [desk, text]);
  const searched = text === '' ? '' : answer.text;
  const results = useMemo(
    () =>
      searched === ''
        ? []
        : [
            ...answer.found.protocols.map(protocolResult),
            ...answer.found.assignments.map(assignmentResult),
            ...findBatches(batches, searched, limit).map(batchResult),
          ],
    [searched, answer, batches],
  );
  return { results, searched };
};
