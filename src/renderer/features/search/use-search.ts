import { useEffect, useMemo, useState } from 'react';
import type { Found } from '../../../contract/search.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import {
  assignmentResult,
  batchResult,
  findBatches,
  furtherResults,
  protocolResult,
  type SearchResult,
} from './search-result.ts';

export type Search = {
  /** The first of each kind, and where the search goes on; empty where nothing was found. */
  readonly results: readonly SearchResult[];
  /** How many were found in all. */
  readonly total: number;
  /** The text that `results` are for; empty before the first answer. */
  readonly searched: string;
};

/** How many of one kind are shown. */
const limit = 6;
/** The longest text that main searches for. */
export const longestText = 200;

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
  return useMemo(() => {
    if (text === '' || answer.text === '') return { results: [], total: 0, searched: '' };
    const { protocols, protocolTotal, assignments, assignmentTotal } = answer.found;
    const uploads = findBatches(batches, answer.text);
    const total = protocolTotal + assignmentTotal + uploads.length;
    const results = [
      ...protocols.map(protocolResult),
      ...assignments.map(assignmentResult),
      ...uploads.slice(0, limit).map(batchResult),
    ];
    const further = total === 0 ? [] : furtherResults(answer.text, total);
    return { results: [...results, ...further], total, searched: answer.text };
  }, [text, answer, batches]);
};
