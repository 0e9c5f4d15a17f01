/** Keeps the index of words up to date with the ledger, a block at a time, and says which files lie where in it. */
import { setImmediate } from 'node:timers/promises';
import { RANGE } from '../ledger/items.ts';
import { BLOCK } from './bits.ts';
import { addWords } from './file-words.ts';
import type { IndexStore, Span } from './index-store.ts';
import type { BatchFacts, ItemRange, LedgerView } from './ledger-view.ts';

/** Consecutive places of a block that belong to files of one batch: from `at` up to, but without, `end`. */
export type Piece = { readonly batch: BatchFacts; readonly at: number; readonly end: number; readonly firstId: number };

export type FileIndex = {
  /** Learns what is new in the ledger; the words of new files are read by `update`. */
  readonly look: () => void;
  /** Reads the words of stale blocks until there are none, the newest first, with turns for other work between them. */
  readonly update: () => Promise<void>;
  readonly staleBlocks: () => number;
  readonly progress: () => { readonly files: number; readonly total: number } | undefined;
  readonly blocks: () => number;
  /** The pieces of a block in the order of their places. */
  readonly piecesOf: (block: number) => readonly Piece[];
  readonly batches: () => Iterable<BatchFacts>;
  /** Batches whose files were not settled when their words were read: their hashes are missing. */
  readonly unsettled: () => readonly BatchFacts[];
  /** Whether the words of a piece's files say their states, too: those of other files are still changing, or not read. */
  readonly hasStates: (block: number, piece: Piece) => boolean;
};

/** A hash as a word of its file, which nobody can type. */
export const hashWord = (sha256: string): string => `#${sha256.slice(0, 12)}`;

/** A state as a word of its files, which nobody can type. */
export const stateWord = (state: string): string => `=${state}`;

export const createFileIndex = (store: IndexStore, ledger: LedgerView): FileIndex => {
  const batches = new Map<number, BatchFacts>();
  const indexed = new Map(store.batches().map((batch) => [batch.number, batch]));
  const stale = new Set(store.staleBlocks());
  /** By block. A span that goes on in the next block is in both. */
  const spans: Span[][] = [];
  const pieces = new Map<number, readonly Piece[]>();
  let places = 0;
  let version: number | undefined;
  let updating: Promise<void> | undefined;

  const remember = (span: Span): void => {
    places = span.first + span.files;
    for (let block = Math.floor(span.first / BLOCK); block * BLOCK < places; block += 1) {
      const inBlock = spans[block] ?? [];
      inBlock.push(span);
      spans[block] = inBlock;
    }
  };
  store.spans().forEach(remember);

  const markStale = (block: number): void => {
    store.markStale(block);
    stale.add(block);
  };

  const forgetAll = (): void => {
    store.clear();
    indexed.clear();
    stale.clear();
    spans.length = 0;
    places = 0;
  };

  const take = (batch: BatchFacts): void => {
    batches.set(batch.number, batch);
    pieces.clear();
    const { number, id, files, finishedAtMs } = batch;
    const before = indexed.get(number);
    if (before?.files === files && before.finishedAtMs === finishedAtMs) return;
    const known = before?.files ?? 0;
    // Names and hashes may have changed until the batch ended.
    if (before && before.finishedAtMs !== finishedAtMs && finishedAtMs !== undefined) {
      for (const [block, inBlock] of spans.entries())
        if (inBlock.some((span) => span.batch === number)) markStale(block);
    }
    if (files > known) {
      const span = { first: places, batch: number, start: known, files: files - known };
      store.addSpan(span);
      remember(span);
      for (let block = Math.floor(span.first / BLOCK); block * BLOCK < places; block += 1) markStale(block);
    }
    const now = { number, id, files, finishedAtMs };
    store.putBatch(now);
    indexed.set(number, now);
  };

  const piecesOf = (block: number): readonly Piece[] => {
    const known = pieces.get(block) ?? makePieces(block);
    pieces.set(block, known);
    return known;
  };
  const makePieces = (block: number): readonly Piece[] =>
    (spans[block] ?? []).flatMap((span) => {
      const batch = batches.get(span.batch);
      if (!batch) return [];
      const from = Math.max(span.first, block * BLOCK);
      const end = Math.min(span.first + span.files, (block + 1) * BLOCK);
      const firstId = span.batch * RANGE + span.start + from - span.first;
      return { batch, at: from - block * BLOCK, end: end - block * BLOCK, firstId };
    });

  const wordsOf = (block: number): ReadonlyMap<string, readonly number[]> => {
    const words = new Map<string, number[]>();
    const ofFile = new Set<string>();
    for (const piece of piecesOf(block)) {
      for (const { id, path, fileName, sha256, state } of ledger.named(rangeOf(piece))) {
        ofFile.clear();
        addWords(ofFile, path);
        if (!path.endsWith(fileName)) addWords(ofFile, fileName);
        if (sha256 !== undefined) ofFile.add(hashWord(sha256));
        ofFile.add(stateWord(state));
        const place = piece.at + id - piece.firstId;
        for (const word of ofFile) {
          const places = words.get(word);
          if (places) places.push(place);
          else words.set(word, [place]);
        }
      }
    }
    return words;
  };

  const run = async (): Promise<void> => {
    for (let block = Math.max(...stale); stale.size > 0; block = Math.max(...stale)) {
      store.putBlock(block, wordsOf(block));
      stale.delete(block);
      await setImmediate();
    }
  };

  return {
    look: () => {
      const now = ledger.version();
      if (now === version) return;
      const changed = ledger.changedBatches();
      store.together(() => {
        // Another ledger took the place of the one that was indexed.
        const isOther = ({ number, id, files }: BatchFacts): boolean => {
          const known = indexed.get(number);
          return known !== undefined && (known.id !== id || known.files > files);
        };
        if (changed.some(isOther) || (version === undefined && indexed.size > changed.length)) {
          forgetAll();
        }
        changed.forEach(take);
      });
      version = now;
    },
    update: () => {
      updating ??= run().finally(() => {
        updating = undefined;
      });
      return updating;
    },
    staleBlocks: () => stale.size,
    progress: () => (stale.size === 0 ? undefined : { files: Math.max(0, places - stale.size * BLOCK), total: places }),
    blocks: () => spans.length,
    piecesOf,
    batches: () => batches.values(),
    hasStates: (block, { batch }) => batch.finishedAtMs !== undefined && !stale.has(block),
    unsettled: () => [...batches.values()].filter(({ finishedAtMs }) => finishedAtMs === undefined),
  };
};

/** The files of a piece. */
export const rangeOf = ({ batch, firstId, at, end }: Piece): ItemRange => ({
  batch: batch.number,
  firstId,
  endId: firstId + end - at,
});
