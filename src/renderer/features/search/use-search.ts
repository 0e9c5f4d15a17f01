import { useMemo } from 'react';
import { useFoundFor } from '../../queries/search.ts';
import { useSnapshot } from '../../state/context.tsx';
import { useWordsRevision } from '../../words/revision.ts';
import {
  allFilesResult,
  assignmentResult,
  batchResult,
  fileResult,
  findBatches,
  furtherResults,
  protocolResult,
  type SearchResult,
} from './search-result.ts';

export type Search = {
  /** The first of each kind, and where to continue; empty if nothing was found. */
  readonly results: readonly SearchResult[];
  /** How many were found in all. */
  readonly total: number;
  /** The text that `results` answer; empty before the first answer. */
  readonly searched: string;
};

/** How many of one kind are shown. */
const limit = 6;
/** What is found for `text` on this computer: protocols and assignments in the offline data, uploads and their files. */
export const useSearch = (text: string): Search => {
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const answer = useFoundFor(text, limit);
  const words = useWordsRevision();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the results have words of the app in them.
  return useMemo(() => {
    if (text === '' || answer === undefined) return { results: [], total: 0, searched: '' };
    const { protocols, protocolTotal, assignments, assignmentTotal } = answer.found;
    const uploads = findBatches(batches, answer.text);
    const { files, total: fileTotal } = answer.files;
    const listed = protocolTotal + assignmentTotal + uploads.length;
    const results = [
      ...protocols.map(protocolResult),
      ...assignments.map(assignmentResult),
      ...uploads.slice(0, limit).map(batchResult),
      ...files.map(fileResult),
      ...(fileTotal > files.length ? [allFilesResult(answer.text, fileTotal)] : []),
    ];
    const further = results.length === 0 ? [] : furtherResults(answer.text, listed);
    return { results: [...results, ...further], total: listed + fileTotal, searched: answer.text };
  }, [text, answer, batches, words]);
};
