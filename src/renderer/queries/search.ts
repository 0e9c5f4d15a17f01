/** Search results from the offline data. */
import { delay } from 'es-toolkit';
import { type ErrorData, toErrorData } from '../../contract/errors.ts';
import type { FoundFiles } from '../../contract/files.ts';
import { type Found, LONGEST_SEARCH } from '../../contract/search.ts';
import { useProtocolList } from './protocols.ts';
import { type Result, useCallQuery, useCalls } from './query.tsx';

/** The first `limit` protocols and the first `limit` assignments found for `text`, and how many there are in all. */
export const useFound = (text: string, limit: number): Result<Found> =>
  useCallQuery(useCalls().search.find({ text, limit }));

type FoundFor = { readonly text: string; readonly found: Found };

const nothing: Found = { protocols: [], protocolTotal: 0, assignments: [], assignmentTotal: 0, cached: 0 };

/**
 * The protocols and assignments found, and the text for which they were found: the previous result until the one for
 * `text` arrives, undefined before the first. If the search fails, the result is empty.
 */
export const useFoundFor = (text: string, limit: number): FoundFor | undefined => {
  const { queryKey, queryFn } = useCalls().search.find({ text: text.slice(0, LONGEST_SEARCH), limit });
  return useCallQuery({
    queryKey: [...queryKey, text],
    queryFn: async () => ({ text, found: await queryFn().catch(() => nothing) }),
    enabled: text !== '',
  }).value;
};

/** `error`: why the search failed. Nothing is found then. */
type Failing<Found> = Found & { readonly error?: ErrorData };

type Files = Failing<Pick<FoundFiles, 'files' | 'total'>>;

/** `files`: undefined until the files of uploads have been searched. */
type FoundEverywhere = { readonly text: string; readonly found: Failing<Found>; readonly files: Files | undefined };

/** What a search that failed has found. */
const failed =
  <Found>(none: Found) =>
  (error: unknown): Failing<Found> => ({ ...none, error: toErrorData(error) });

/**
 * How long protocols and assignments wait for files, so that all results appear together. While the ledger is being
 * indexed, for example, files take longer and are added later.
 */
const filesWaitMs = 30;

/**
 * The protocols, assignments and files found, and the text for which they were found: the previous result until the one
 * for `text` arrives, undefined before the first. Files that take longer to find are added to the result later.
 */
export const useFoundEverywhere = (text: string, limit: number): FoundEverywhere | undefined => {
  const { search, files } = useCalls();
  const asked = { text: text.slice(0, LONGEST_SEARCH), limit };
  const { queryKey, queryFn } = search.find(asked);
  const key = [...queryKey, text, 'files'];
  return useCallQuery<FoundEverywhere>({
    queryKey: key,
    queryFn: async ({ client }) => {
      const searchingFiles = files
        .find({ ...asked, withoutSkipped: true, complete: true })
        .queryFn()
        .catch(failed({ files: [], total: 0 }));
      const found = await queryFn().catch(failed(nothing));
      const inTime = await Promise.race([searchingFiles, delay(filesWaitMs)]);
      if (inTime) return { text, found, files: inTime };
      void searchingFiles.then((late) =>
        client.setQueryData<FoundEverywhere>(key, (shown) => shown && { ...shown, files: late }),
      );
      return { text, found, files: client.getQueryData<FoundEverywhere>(key)?.files };
    },
    enabled: text !== '',
  }).value;
};

/**
 * How far the service's protocols have been searched. `part`: the service may have more matches; `offline`: it cannot
 * be reached; `failed`: the search has failed.
 */
export type ServiceSearch = {
  readonly state: 'asking' | 'complete' | 'part' | 'offline' | 'failed';
  /** How many protocols the offline data has; undefined until it has been searched. */
  readonly cached: number | undefined;
  readonly again: () => void;
};

/** Searches the service for `text` while it is typed. `found`: the results from the offline data, once read. */
export const useServiceSearch = (text: string, found: Found | undefined): ServiceSearch => {
  const { list, isComplete, busy, error, reload } = useProtocolList(
    text.slice(0, LONGEST_SEARCH),
    () => found && { shows: 'search', first: 0, last: 0, rows: found.protocolTotal, cached: found.cached },
    text !== '',
  );
  const part = isComplete ? 'complete' : 'part';
  const answered = list?.source === 'cache' ? 'offline' : busy || list === undefined ? 'asking' : part;
  return { state: error === undefined ? answered : 'failed', cached: found?.cached, again: reload };
};
