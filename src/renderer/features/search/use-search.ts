import { type ServiceSearch, useFoundEverywhere, useServiceSearch } from '../../queries/search.ts';
import { useSnapshot } from '../../state/context.tsx';
import { useMemoInWords } from '../../words/revision.ts';
import {
  allFilesResult,
  assignmentResult,
  batchResult,
  fileResult,
  findBatches,
  furtherResults,
  protocolResult,
  type SearchResult,
} from './search-result.tsx';

type Search = {
  /**
   * The first of each kind, and where to continue; empty if nothing was found. Files and where to continue come last, so that
   * nothing moves when they follow.
   */
  readonly results: readonly SearchResult[];
  /** How many were found in all. */
  readonly total: number;
  /** The text that `results` answer; empty before the first answer. */
  readonly searched: string;
  /** Whether files have been searched, too. */
  readonly isComplete: boolean;
};

/** The same, and how far the service has been searched. */
type SearchEverywhere = Search & { readonly service: ServiceSearch };

const nothing: Search = { results: [], total: 0, searched: '', isComplete: false };

/** How many of one kind are shown. */
const limit = 6;

/**
 * What is found for `text`: protocols and assignments in the offline data, uploads and their files. The service is asked for
 * protocols meanwhile, which then are in the offline data.
 */
export const useSearch = (text: string): SearchEverywhere => {
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const answer = useFoundEverywhere(text, limit);
  const service = useServiceSearch(text, answer?.text === text ? answer.found : undefined);
  const search = useMemoInWords(() => {
    if (text === '' || answer === undefined) return nothing;
    const { text: searched, files: found } = answer;
    const { protocols, protocolTotal, assignments, assignmentTotal } = answer.found;
    const uploads = findBatches(batches, searched);
    const listed = protocolTotal + assignmentTotal + uploads.length;
    const results = [
      ...protocols.map((protocol) => protocolResult(protocol, searched)),
      ...assignments.map((summary) => assignmentResult(summary, searched)),
      ...uploads.slice(0, limit).map((batch) => batchResult(batch, searched)),
    ];
    if (found === undefined) return { results, total: listed, searched, isComplete: false };
    results.push(...found.files.map((file, position) => fileResult(file, position, searched)));
    if (found.total > found.files.length) results.push(allFilesResult(searched, found.total));
    if (results.length > 0) results.push(...furtherResults(searched, listed));
    return { results, total: listed + found.total, searched, isComplete: true };
  }, [text, answer, batches]);
  return { ...search, service };
};
