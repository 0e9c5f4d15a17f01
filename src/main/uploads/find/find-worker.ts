/** Searches for files, and updates the index, in a worker, so that neither uploads nor the window wait. */

import { setImmediate } from 'node:timers/promises';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { pick } from 'es-toolkit/object/pick';
import { DeskError } from '../../../contract/errors.ts';
import type { FileQuery, FoundFile, FoundFiles } from '../../../contract/files.ts';
import { ListedState } from '../../../contract/uploads.ts';
import { orCancelled, throwIfCancelled } from '../../async/cancel.ts';
import { connectPort, type Peer } from '../../async/port-calls.ts';
import { removeDatabase } from '../../data/files.ts';
import { type Item, listedState, RANGE } from '../ledger/items.ts';
import { chosenFolderOf } from '../source/paths.ts';
import { type BatchFacts, type FileIndex, openFileIndex, typedWords, wordList } from './file-index.ts';

/** The calls that the worker handles. `begin`: the first call, repeated until it succeeds. Errors: `data/…`. */
export type FindCalls = ReturnType<typeof createFileFinder> & { readonly begin: (paths: Paths) => void };

export type FindMainCalls = {
  /** Returns the names of these assignments, in the order of `AssignmentIds`. An unknown name is an empty string. */
  readonly names: (
    connectionId: string,
    AssignmentIds: readonly string[],
  ) => readonly string[] | Promise<readonly string[]>;
};

/** With `complete`, the search waits until every file of the ledger is in the index. */
type Search = [connectionId: string, query: FileQuery, complete: boolean, signal: AbortSignal | undefined];

type Paths = { readonly ledgerPath: string; readonly indexPath: string };

/**
 * A search waits for files that are not indexed yet only if there are at most this many, or if it has to be `complete`.
 */
const FEW = 4_096;

/** The maximum `total` of the files of uploads, except for queries that need only the counts of batches. */
const MOST_COUNTED = 10_000;

/** Opens the ledger for reading, and the index, and creates the functions that search them. Errors: `data/…`. */
export const createFileFinder = (paths: Paths, askNames: FindMainCalls['names']) => {
  let opened: Opened | undefined = open(paths, askNames);
  /** Returns the open databases. Opens them if they were closed because the index was damaged. */
  const present = (): Opened => {
    opened ??= open(paths, askNames);
    return opened;
  };
  const wordsOfNames = new Map<string, string>();

  const find = async (
    { index, newNames, background }: Opened,
    ...[connectionId, query, complete, signal]: Search
  ): Promise<FoundFiles> => {
    index.look();
    const batches = [...index.batches().values()];
    const listed = index.ledger.reported(connectionId);
    const uploads = batches.filter((batch) => batch.connectionId === connectionId);
    const ids = [...uploads, ...listed].map(({ AssignmentId }) => AssignmentId);
    const learned = await newNames(connectionId, new Set(ids));
    for (const [id, name] of learned) wordsOfNames.set(id, wordList(name));
    index.setNames(learned);
    const updated = index.update();
    if (complete || index.waiting() <= FEW) await updated;
    else {
      const { error } = background;
      background.error = undefined;
      updated.catch((failure: unknown) => {
        background.error = failure;
      });
      if (error !== undefined) throw error;
    }
    const own = await ownFiles(index, connectionId, query, signal);
    const reported = reportedFiles(listed, query, (id) => wordsOfNames.get(id) ?? '');
    const parts = [own, reported];
    const files: FoundFile[] = [];
    let skip = query.offset;
    for (const { total, window } of parts) {
      if (skip < total && files.length < query.limit) files.push(...window(skip, query.limit - files.length));
      skip = Math.max(0, skip - total);
    }
    const waiting = index.waiting();
    const all = batches.reduce((sum, batch) => sum + batch.files, 0);
    return {
      files,
      total: parts.reduce((sum, { total }) => sum + total, 0),
      isMore: own.isMore ?? false,
      ...(waiting > 0 && { indexing: { files: all - waiting, total: all } }),
    };
  };

  const findAgain = async (...search: Search): Promise<FoundFiles> => {
    const used = present();
    try {
      return await find(used, ...search);
    } catch (error) {
      // The index can be rebuilt, the ledger cannot.
      const isIndex =
        error instanceof DeskError && error.code === 'data/corrupt' && error.details.file === paths.indexPath;
      if (!isIndex) throw error;
      // Another search may have replaced the index.
      if (opened === used) {
        opened = undefined;
        used.index.close();
        removeDatabase(paths.indexPath);
      }
      return find(present(), ...search);
    }
  };

  return {
    find: (...search: Search): Promise<FoundFiles> => orCancelled(findAgain(...search), search[3]),
    sent: (connectionId: string, sizes: readonly number[]) => present().index.ledger.sentOf(connectionId, sizes),
    sentArchives: (connectionId: string) => present().index.ledger.sentArchives(connectionId),
    close: (): void => opened?.index.close(),
  };
};

type Opened = ReturnType<typeof open>;

type LedgerView = FileIndex['ledger'];

const open = ({ ledgerPath, indexPath }: Paths, askNames: FindMainCalls['names']) => {
  const index = openFileIndex(indexPath, ledgerPath);
  /** The error of an update that failed in the background. The next search that does not wait reports it. */
  const background: { error?: unknown } = {};
  return { index, background, newNames: createNameMemory(askNames) };
};

/** How long after a request a name is requested again, because it was unknown, or because it may have changed. */
const ASKED_AGAIN_MS = { unknown: 10_000, known: 600_000 } as const;

/** Returns a function that resolves to the known names of assignments, except names that it has returned before. */
const createNameMemory = (ask: FindMainCalls['names']) => {
  const asked = new Map<string, { readonly name: string; readonly atMs: number }>();
  return async (connectionId: string, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> => {
    const atMs = performance.now();
    const isDue = (id: string): boolean => {
      const last = asked.get(id);
      return !last || atMs - last.atMs > ASKED_AGAIN_MS[last.name === '' ? 'unknown' : 'known'];
    };
    const nameOf = (id: string): string => asked.get(id)?.name ?? '';
    const AssignmentIds = [...ids].filter(isDue);
    if (AssignmentIds.length === 0) return new Map();
    for (const id of AssignmentIds) asked.set(id, { name: nameOf(id), atMs });
    const names = await ask(connectionId, AssignmentIds);
    const found = AssignmentIds.map((id, at) => [id, names[at] ?? ''] as const).filter(
      ([id, name]) => name !== '' && name !== nameOf(id),
    );
    for (const [id, name] of found) asked.set(id, { name, atMs });
    return new Map(found);
  };
};

/** A part of the results: the files of uploads, or reported files. `isMore`: more files match than `total`. */
type Part = {
  readonly total: number;
  readonly isMore?: boolean;
  readonly window: (offset: number, limit: number) => readonly FoundFile[];
};

/** The files of a connection's uploads that match, in descending order of ids: the newest upload first. */
const ownFiles = async (
  index: FileIndex,
  connectionId: string,
  query: FileQuery,
  signal: AbortSignal | undefined,
): Promise<Part> => {
  const { ledger } = index;
  const { text, AssignmentId, uploadId, sha256, fromMs, beforeMs } = query;
  const states = query.states ?? (query.withoutSkipped ? NOT_SKIPPED : undefined);
  const wanted = { ...query, states };
  const id = isId(text) ? text.trim().toLowerCase() : undefined;
  const words = id === undefined ? typedWords(text) : [];
  const inStates = states && ledger.filesIn(states);
  const batches = [...index.batches().values()].filter(
    (batch) =>
      batch.connectionId === connectionId &&
      (AssignmentId === undefined || batch.AssignmentId === AssignmentId) &&
      (id === undefined || batch.AssignmentId.toLowerCase().startsWith(id)) &&
      (uploadId === undefined || batch.uploadId === uploadId) &&
      (inStates === undefined || inStates.has(batch.number)) &&
      isWithin(batch, query),
  );
  const byNumber = new Map(batches.map((batch) => [batch.number, batch]));
  const read = (ids: readonly number[]): readonly FoundFile[] => {
    const items = new Map(ledger.items(ids).map((item) => [item.id, item]));
    return ids.flatMap((one) => {
      const [item, batch] = [items.get(one), byNumber.get(batchOf(one))];
      return item && batch ? [view(item, batch)] : [];
    });
  };
  const isEvery = words.length === 0 && sha256 === undefined;
  if (isEvery && fromMs === undefined && beforeMs === undefined) {
    const filesOf = ({ number, files }: BatchFacts): number => (inStates ? (inStates.get(number) ?? 0) : files);
    return {
      total: batches.reduce((total, batch) => total + filesOf(batch), 0),
      window: (offset, limit) => read(windowOf(ledger, batches, filesOf, { states, offset, limit })),
    };
  }
  const ids = isEvery
    ? await idsInTime(ledger, batches, wanted, signal)
    : await matchingIds(index, byNumber, words, wanted, signal);
  return {
    total: Math.min(ids.length, MOST_COUNTED),
    isMore: ids.length > MOST_COUNTED,
    window: (offset, limit) => read(ids.slice(offset, Math.min(offset + limit, MOST_COUNTED))),
  };
};

/** Lets other calls begin, and ends a search that was cancelled. */
const takeTurn = async (signal: AbortSignal | undefined): Promise<void> => {
  await setImmediate();
  throwIfCancelled(signal);
};

const NOT_SKIPPED: readonly ListedState[] = ListedState.options.filter((state) => state !== 'skipped');

/**
 * Returns, in descending order, the ids of up to `limit` files of the batches, without the first `offset` files. With
 * `states`, only files in these states count. `filesOf`: how many such files a batch has.
 */
const windowOf = (
  ledger: LedgerView,
  batches: readonly BatchFacts[],
  filesOf: (batch: BatchFacts) => number,
  { states, offset, limit }: Pick<FileQuery, 'states' | 'offset' | 'limit'>,
): readonly number[] => {
  const ids: number[] = [];
  let skip = offset;
  for (const batch of batches.toReversed()) {
    const files = filesOf(batch);
    // If all files of a batch match, their ids are known without a query.
    const some = files < batch.files ? states : undefined;
    if (skip < files) ids.push(...newest(ledger, batch, some, { offset: skip, limit: limit - ids.length }));
    skip = Math.max(0, skip - files);
    if (ids.length === limit) break;
  }
  return ids;
};

/** The ids of up to `MOST_COUNTED + 1` files in the query's period and states, in descending order. */
const idsInTime = async (
  ledger: LedgerView,
  batches: readonly BatchFacts[],
  query: FileQuery,
  signal: AbortSignal | undefined,
): Promise<readonly number[]> => {
  const ids: number[] = [];
  for (const batch of batches.toReversed()) {
    const limit = MOST_COUNTED + 1 - ids.length;
    if (limit === 0) break;
    const isAsked = isAround(batch, query);
    if (isAsked) await takeTurn(signal);
    ids.push(
      ...(isAsked
        ? ledger.idsMeeting(batch.number, query, limit)
        : newest(ledger, batch, query.states, { offset: 0, limit })),
    );
  }
  return ids;
};

/** A window of the ids of a batch's files (with `states`, only of files in these states), in descending order. */
const newest = (
  ledger: LedgerView,
  { number, files }: BatchFacts,
  states: FileQuery['states'],
  window: { readonly offset: number; readonly limit: number },
): readonly number[] => {
  if (states) return ledger.windowInStates(number, states, window);
  const left = files - window.offset;
  return Array.from({ length: Math.min(window.limit, left) }, (_, at) => number * RANGE + left - 1 - at);
};

/** The ids of files that match, in descending order. If more than `MOST_COUNTED` match, some may be missing. */
const matchingIds = async (
  index: FileIndex,
  batches: ReadonlyMap<number, BatchFacts>,
  words: readonly string[],
  query: FileQuery,
  signal: AbortSignal | undefined,
): Promise<readonly number[]> => {
  const { ledger } = index;
  const { states } = query;
  // Usually few files are skipped, so excluding them by the ledger is faster than searching for all other states.
  const indexed = query.withoutSkipped && states === NOT_SKIPPED ? undefined : states;
  const skipped = indexed === states ? undefined : ledger.filesIn(['skipped']);
  const sha256 = query.sha256?.toLowerCase();
  const wanted = { words, AssignmentId: query.AssignmentId?.toLowerCase() };
  // The ledger has to check each file that the index finds in these batches. The index lacks times, the ends of hashes,
  // and the exact states of removed files and of files in batches that are not final.
  const removed = indexed && ledger.filesIn(['removed']);
  const isAsked = new Set<number>();
  for (const [number, batch] of batches)
    if (
      sha256 ||
      skipped?.has(number) ||
      isAround(batch, query) ||
      (removed && (removed.has(number) || !index.isFinal(batch)))
    )
      isAsked.add(number);
  const met = (page: readonly number[]): readonly number[] => {
    const own = page.filter((id) => batches.has(batchOf(id)));
    const asked = own.filter((id) => isAsked.has(batchOf(id)));
    const meeting = ledger.meeting(asked, { ...query, sha256 });
    return own.filter((id) => !isAsked.has(batchOf(id)) || meeting.has(id));
  };
  const numbers = [...batches.keys()];
  const firstId = (numbers[0] ?? 0) * RANGE;
  let endId = ((numbers.at(-1) ?? -1) + 1) * RANGE;
  const ids: number[] = [];
  // Lists the batches in progress before the pages are read: a batch that ends meanwhile might otherwise be missed.
  const open = sha256 === undefined ? [] : [...batches.values()].filter((batch) => !index.isFinal(batch));
  for (let isMore = true; isMore && ids.length <= MOST_COUNTED; ) {
    await takeTurn(signal);
    const page = index.matching({ ...wanted, states: indexed, sha256 }, { firstId, endId }, MOST_COUNTED + 1);
    ids.push(...met(page));
    isMore = page.length > MOST_COUNTED;
    endId = page.at(-1) ?? firstId;
  }
  if (open.length === 0) return ids;
  // All files with the hash are needed if there are words, too: the words may rule out any of the files.
  const most = words.length === 0 ? MOST_COUNTED + 1 : Number.MAX_SAFE_INTEGER;
  const hashed = open.flatMap(({ number }) => ledger.idsMeeting(number, { ...query, sha256 }, most));
  const range = { firstId, endId: Number.MAX_SAFE_INTEGER };
  const found = words.length === 0 ? hashed : index.matching(wanted, range, MOST_COUNTED + 1, hashed);
  return [...new Set([...ids, ...found])].toSorted((a, b) => b - a);
};

const batchOf = (id: number): number => Math.floor(id / RANGE);

/** The files of `reported` that match, in their order. `wordsOfName`: the `wordList` of an assignment's name. */
const reportedFiles = (
  reported: ReturnType<LedgerView['reported']>,
  { text, sha256, states, uploadId, AssignmentId, fromMs = 0, beforeMs = Number.MAX_SAFE_INTEGER }: FileQuery,
  wordsOfName: (AssignmentId: string) => string,
): Part => {
  if (states || sha256 !== undefined || uploadId !== undefined || isId(text)) return { total: 0, window: () => [] };
  const starts = typedWords(text).map((start) => ` ${start}`);
  const found = reported.filter(
    (file) =>
      (AssignmentId === undefined || AssignmentId === file.AssignmentId) &&
      file.addedAtMs >= fromMs &&
      file.addedAtMs < beforeMs &&
      starts.every((start) => file.words.includes(start) || wordsOfName(file.AssignmentId).includes(start)),
  );
  return {
    total: found.length,
    window: (offset, limit) =>
      found
        .slice(offset, offset + limit)
        .map(({ words: _, ...file }) => ({ ...file, path: file.FileName, state: 'reported' })),
  };
};

const view = (item: Item, { id, root, AssignmentId, createdAtMs }: BatchFacts): FoundFile => ({
  ...pick(item, ['path', 'sizeBytes', 'sha256']),
  folder: chosenFolderOf({ root, path: item.path }),
  FileName: item.fileName,
  state: listedState(item),
  AssignmentId,
  batchId: id,
  fileId: item.id,
  addedAtMs: item.settledAtMs ?? createdAtMs,
  ...(item.error && (item.state === 'failed' || item.state === 'uncertain') && { error: item.error.code }),
});

/** Whether the text may be a GUID or the beginning of one: eight hex digits and a dash are enough. */
const isId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]*$/i.test(text.trim());

const isWithin = ({ createdAtMs, finishedAtMs }: BatchFacts, { fromMs, beforeMs }: FileQuery): boolean =>
  (fromMs === undefined || finishedAtMs === null || finishedAtMs >= fromMs) &&
  (beforeMs === undefined || createdAtMs < beforeMs);

/** Whether the times of the batch's files have to be checked, because some may lie outside the period. */
const isAround = ({ createdAtMs, finishedAtMs }: BatchFacts, { fromMs, beforeMs }: FileQuery): boolean =>
  (fromMs !== undefined && createdAtMs < fromMs) ||
  (beforeMs !== undefined && (finishedAtMs === null || finishedAtMs >= beforeMs));

const serveSearch = (port: MessagePort): void => {
  const begin = (paths: Paths): void => main.serve(createFileFinder(paths, main.call.names));
  const main: Peer<FindMainCalls> = connectPort(port, { begin });
};

if (parentPort) serveSearch(parentPort);
