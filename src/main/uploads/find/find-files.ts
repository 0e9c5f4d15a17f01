/** Answers a search from the index of words and the ledger. */
import type { FileQuery, FoundFile } from '../../../contract/files.ts';
import type { ListedState } from '../../../contract/uploads.ts';
import { type Item, listedState } from '../ledger/item-row.ts';
import { RANGE } from '../ledger/items.ts';
import { chosenFolderOf } from '../source/paths.ts';
import type { BatchWords } from './batch-words.ts';
import { addPacked, type Bits, BLOCK, hasAny, hasBit, intersect, noBits, setBit, setRange, subtract } from './bits.ts';
import { type FileIndex, hashWord, type Piece, rangeOf, stateWord } from './file-index.ts';
import { addWords, typedWords } from './file-words.ts';
import type { IndexStore } from './index-store.ts';
import {
  type BatchFacts,
  type LedgerView,
  type ReportedFile,
  type StoredStates,
  storedStates,
  wholeBatch,
} from './ledger-view.ts';

/** More files than this are not counted where each has to be looked at. */
const MOST_COUNTED = 10_000;

type FoundWindow = {
  readonly files: readonly FoundFile[];
  readonly total: number;
  readonly isMore: boolean;
};

type FinderOptions = {
  readonly store: IndexStore;
  readonly index: FileIndex;
  readonly ledger: LedgerView;
  readonly batchWords: BatchWords;
};

/** Answers one window of what a connection's files match. */
type Finder = (connectionId: string, query: FileQuery) => FoundWindow;

/** A part of what was found, in order. */
type Part = {
  readonly total: number;
  readonly isMore?: boolean;
  readonly window: (offset: number, limit: number) => readonly FoundFile[];
};

/** A word that was typed, and the batches all of whose files it finds. */
type Word = { readonly start: string; readonly batches: ReadonlySet<number> };

/** Files of a block, as places, and the pieces in which they are. */
type Matched = { readonly bits: Uint8Array; readonly pieces: readonly Piece[] };

/** The states that are asked for, and how many files are in them, by the number of their batch. */
type InStates = { readonly listed: readonly ListedState[]; readonly files: ReadonlyMap<number, number> };

export const createFinder = ({ store, index, ledger, batchWords }: FinderOptions): Finder => {
  const wordsOf = createWordMemory();

  const view = (item: Item, batch: BatchFacts): FoundFile => {
    const { id, root, AssignmentId, createdAtMs } = batch;
    return {
      path: item.path,
      folder: chosenFolderOf({ root, path: item.path }),
      FileName: item.fileName,
      sizeBytes: item.sizeBytes,
      state: listedState(item),
      AssignmentId,
      batchId: id,
      fileId: item.id,
      addedAtMs: item.settledAtMs ?? createdAtMs,
      ...(item.sha256 !== undefined && { sha256: item.sha256 }),
    };
  };

  /** The files with these ids, in their order. */
  const read = (ids: readonly number[], batches: ReadonlyMap<number, BatchFacts>): readonly FoundFile[] => {
    const items = new Map(ledger.items(ids).map((item) => [item.id, item]));
    return ids.flatMap((id) => {
      const [item, batch] = [items.get(id), batches.get(Math.floor(id / RANGE))];
      return item && batch ? [view(item, batch)] : [];
    });
  };

  const listed = (ids: readonly number[], batches: ReadonlyMap<number, BatchFacts>): Part => ({
    total: Math.min(ids.length, MOST_COUNTED),
    isMore: ids.length > MOST_COUNTED,
    window: (offset, limit) => read(ids.slice(offset, Math.min(offset + limit, MOST_COUNTED)), batches),
  });

  /** The files of a block that match every word, among `pieces`, and the pieces in which there are any. */
  const matches = (block: number, pieces: readonly Piece[], words: readonly Word[]): Matched => {
    const bits = noBits();
    for (const { at, end } of pieces) setRange(bits, at, end);
    let left = pieces;
    for (const { start, batches } of words) {
      const matched = noBits();
      const whole = left.filter(({ batch }) => batches.has(batch.number));
      for (const { at, end } of whole) setRange(matched, at, end);
      if (whole.length < left.length) {
        store.addMatches(matched, block, start);
        if (isHash(start)) store.addMatches(matched, block, hashWord(start));
      }
      if (!intersect(bits, matched)) return { bits, pieces: [] };
      left = left.filter(({ at, end }) => hasAny(bits, at, end));
    }
    return { bits, pieces: left };
  };

  /** Leaves only the files that are listed in these states. */
  const keepListed = (block: number, matched: Matched, inStates: InStates): void => {
    const { states, removed } = storedStates(inStates.listed);
    const all = matched.bits.slice();
    keepStates(block, matched, { states, files: inStates.files });
    if (removed === undefined) return;
    const gone = bitsOf(matched.pieces, ledger.removedIn(matched.pieces.map(rangeOf)));
    if (removed === 'out') subtract(matched.bits, gone);
    else if (intersect(gone, all)) addPacked(matched.bits, gone);
  };

  /** Leaves only the files whose items are in these states: as the index has it, and for the others as the ledger has it. */
  const keepStates = (
    block: number,
    { bits, pieces }: Matched,
    { states, files }: Pick<StoredStates, 'states'> & Pick<InStates, 'files'>,
  ): void => {
    const { known = [], asked = [] } = Object.groupBy(pieces, (piece) =>
      index.hasStates(block, piece) ? 'known' : 'asked',
    );
    if (known.length > 0) {
      const inStates = noBits();
      for (const state of states) store.addMatches(inStates, block, stateWord(state));
      for (const { at, end } of asked) setRange(inStates, at, end);
      intersect(bits, inStates);
    }
    if (asked.length === 0) return;
    const matched = { bits, pieces: asked };
    const ids = idsIn(matched);
    // Whichever is less to read.
    const isFew = ids.length < asked.reduce((sum, { batch }) => sum + (files.get(batch.number) ?? 0), 0);
    keep(matched, asked, isFew ? ledger.idsOfThoseIn(ids, states) : ledger.idsInStates(asked.map(rangeOf), states));
  };

  /** The ids of matched files, the latest first, that also fit the conditions on single files. */
  const idsOf = (block: number, matched: Matched, query: FileQuery, inStates?: InStates): readonly number[] => {
    const { fromMs = 0, beforeMs = Number.MAX_SAFE_INTEGER } = query;
    if (inStates) keepListed(block, matched, inStates);
    for (const piece of matched.pieces.filter(({ batch }) => isAround(batch, query)))
      keep(matched, [piece], ledger.idsAtTime(rangeOf(piece), piece.batch.createdAtMs, fromMs, beforeMs));
    return idsIn(matched);
  };

  const withWords = (
    isEligible: (batch: BatchFacts) => boolean,
    words: readonly Word[],
    query: FileQuery,
    inStates?: InStates,
  ) => {
    const batches = new Map<number, BatchFacts>();
    const ids: number[] = [];
    for (let block = index.blocks() - 1; block >= 0 && ids.length <= MOST_COUNTED; block -= 1) {
      const pieces = index.piecesOf(block).filter(({ batch }) => isEligible(batch));
      if (pieces.length === 0) continue;
      const matched = matches(block, pieces, words);
      for (const { batch } of matched.pieces) batches.set(batch.number, batch);
      ids.push(...idsOf(block, matched, query, inStates));
    }
    return listed(ids, batches);
  };

  const withHash = (isEligible: (batch: BatchFacts) => boolean, words: readonly Word[], sha256: string): Part => {
    const batches = new Map([...index.batches()].filter(isEligible).map((batch) => [batch.number, batch]));
    const ids = new Set<number>();
    for (let block = index.blocks() - 1; block >= 0; block -= 1) {
      const bits = noBits();
      store.addMatches(bits, block, hashWord(sha256));
      for (const id of idsIn({ bits, pieces: index.piecesOf(block) })) ids.add(id);
    }
    for (const batch of index.unsettled())
      for (const id of ledger.idsWithHash(wholeBatch(batch.number), sha256)) ids.add(id);
    const found = read(
      [...ids].toSorted((a, b) => b - a),
      batches,
    ).filter(
      (file) =>
        file.sha256?.startsWith(sha256) &&
        words.every(({ start, batches: whole }) => {
          const text = `${file.path} ${file.FileName}`;
          return beginsOne(wordsOf(text), start) || [...whole].some((one) => batches.get(one)?.id === file.batchId);
        }),
    );
    return { total: found.length, window: (offset, limit) => found.slice(offset, offset + limit) };
  };

  /** Every file of the batches, or every one in these states: none has to be looked at to be counted. */
  const all = (isEligible: (batch: BatchFacts) => boolean, inStates?: InStates): Part => {
    const batches = new Map([...index.batches()].filter(isEligible).map((batch) => [batch.number, batch]));
    const newest = [...batches.values()].toReversed();
    const filesOf = ({ number, files }: BatchFacts): number => (inStates ? (inStates.files.get(number) ?? 0) : files);
    return {
      total: newest.reduce((total, batch) => total + filesOf(batch), 0),
      window: (offset, limit) => {
        const ids: number[] = [];
        let skip = offset;
        for (const batch of newest) {
          const { number } = batch;
          const files = filesOf(batch);
          if (inStates && skip < files) {
            const window = { offset: skip, limit: limit - ids.length };
            ids.push(...ledger.windowInStates(number, inStates.listed, window));
          } else for (let at = files - 1 - skip; at >= 0 && ids.length < limit; at -= 1) ids.push(number * RANGE + at);
          skip = Math.max(0, skip - files);
          if (ids.length === limit) break;
        }
        return read(ids, batches);
      },
    };
  };

  const reported = (connectionId: string, words: readonly Word[], query: FileQuery): Part => {
    const { AssignmentId, fromMs = 0, beforeMs = Number.MAX_SAFE_INTEGER } = query;
    const found = ledger
      .reported(connectionId)
      .filter(
        ({ assignmentId, addedAtMs, FileName }) =>
          (AssignmentId === undefined || AssignmentId === assignmentId) &&
          addedAtMs >= fromMs &&
          addedAtMs < beforeMs &&
          words.every(({ start }) => beginsOne(wordsOf(`${FileName} ${batchWords.nameOf(assignmentId) ?? ''}`), start)),
      );
    return { total: found.length, window: (offset, limit) => found.slice(offset, offset + limit).map(viewReported) };
  };

  return (connectionId, query) => {
    const { text, states, AssignmentId, uploadId, offset, limit } = query;
    const sha256 = query.sha256?.toLowerCase();
    for (const batch of index.batches()) batchWords.add(batch);
    const id = isId(text) ? text.trim().toLowerCase() : undefined;
    const words = (id === undefined ? typedWords(text) : []).map((start) => ({
      start,
      batches: batchWords.beginningWith(start),
    }));
    const inStates = states && { listed: states, files: ledger.filesIn(states) };
    const isEligible = (batch: BatchFacts): boolean =>
      batch.connectionId === connectionId &&
      (AssignmentId === undefined || batch.AssignmentId === AssignmentId) &&
      (id === undefined || batch.AssignmentId.toLowerCase().startsWith(id)) &&
      (uploadId === undefined || batch.uploadId === uploadId) &&
      (inStates === undefined || inStates.files.has(batch.number)) &&
      isWithin(batch, query);
    const isSimple = words.length === 0 && query.fromMs === undefined && query.beforeMs === undefined;
    const own =
      sha256 !== undefined
        ? withHash(isEligible, words, sha256)
        : isSimple
          ? all(isEligible, inStates)
          : withWords(isEligible, words, query, inStates);
    const hasReported = !states && sha256 === undefined && uploadId === undefined && id === undefined;
    const parts = hasReported ? [own, reported(connectionId, words, query)] : [own];
    const files: FoundFile[] = [];
    let skip = offset;
    for (const { total, window } of parts) {
      if (skip < total && files.length < limit) files.push(...window(skip, limit - files.length));
      skip = Math.max(0, skip - total);
    }
    return {
      files,
      total: parts.reduce((sum, { total }) => sum + total, 0),
      isMore: own.isMore ?? false,
    };
  };
};

/** The ids of files, the latest first. */
const idsIn = ({ bits, pieces }: Matched): readonly number[] => {
  const ids: number[] = [];
  for (const { at, end, firstId } of pieces.toReversed())
    for (let place = end - 1; place >= at; place -= 1) {
      if (hasBit(bits, place)) ids.push(firstId + place - at);
      // None of the eight up to here.
      else if (bits[place >> 3] === 0) place -= place & 7;
    }
  return ids;
};

/** The places of the files with these ids, those that are in `pieces`. */
const bitsOf = (pieces: readonly Piece[], ids: readonly number[]): Bits => {
  const ofBatch = Map.groupBy(pieces, ({ batch }) => batch.number);
  const bits = noBits();
  for (const id of ids) {
    const piece = ofBatch
      .get(Math.floor(id / RANGE))
      ?.find(({ at, end, firstId }) => id >= firstId && id < firstId + end - at);
    if (piece) setBit(bits, piece.at + id - piece.firstId);
  }
  return bits;
};

/** Leaves only those of the files in `pieces` that have one of these ids. */
const keep = ({ bits }: Matched, pieces: readonly Piece[], ids: readonly number[]): void => {
  const kept = bitsOf(pieces, ids);
  let from = 0;
  for (const { at, end } of pieces) {
    setRange(kept, from, at);
    from = end;
  }
  setRange(kept, from, BLOCK);
  intersect(bits, kept);
};

const beginsOne = (words: readonly string[], start: string): boolean => words.some((word) => word.startsWith(start));

/** Whether a word may be the beginning of a hash. */
const isHash = (word: string): boolean => /^[0-9a-f]{8,}$/.test(word);

/** Whether a text is an id of the service, or the beginning of one. */
const isId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]*$/i.test(text.trim());

const isWithin = ({ createdAtMs, finishedAtMs }: BatchFacts, { fromMs, beforeMs }: FileQuery): boolean =>
  (fromMs === undefined || finishedAtMs === undefined || finishedAtMs >= fromMs) &&
  (beforeMs === undefined || createdAtMs < beforeMs);

/** Whether the batch began before the time, or ended after it, so that its files have to be looked at. */
const isAround = ({ createdAtMs, finishedAtMs }: BatchFacts, { fromMs, beforeMs }: FileQuery): boolean =>
  (fromMs !== undefined && createdAtMs < fromMs) ||
  (beforeMs !== undefined && (finishedAtMs === undefined || finishedAtMs >= beforeMs));

const viewReported = ({ assignmentId, FileName, addedAtMs }: ReportedFile): FoundFile => ({
  path: FileName,
  FileName,
  state: 'reported' satisfies Exclude<FoundFile['state'], ListedState>,
  AssignmentId: assignmentId,
  addedAtMs,
});

/** The most texts whose words are remembered. */
const MOST_REMEMBERED = 100_000;

/** The words of texts, which are the same for many files. */
const createWordMemory = (): ((text: string) => readonly string[]) => {
  const known = new Map<string, readonly string[]>();
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const words = new Set<string>();
    addWords(words, text);
    if (known.size >= MOST_REMEMBERED) known.clear();
    const found = [...words];
    known.set(text, found);
    return found;
  };
};
