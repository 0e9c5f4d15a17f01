/** The words in the offline data, by connection: the candidates for a mistyped word. */
import type { DatabaseSync } from 'node:sqlite';
import { folded, wordsIn } from '../../contract/search.ts';
import { correctedBeginning, isCorrectable } from './typos.ts';

export type Vocabulary = {
  /** Adds the words of `texts`, in the open transaction. */
  readonly learn: (no: number, texts: readonly string[]) => void;
  /** Beginnings of known words that are one mistake away from `word`. */
  readonly corrections: (no: number, word: string) => readonly string[];
  /** To be called when words were removed. */
  readonly forget: () => void;
};

/** Far more than addresses and customers have, so that records of random words cannot fill the memory. */
const MOST_WORDS = 100_000;
const MOST_CORRECTIONS = 8;

/** The words in `db`, which has been migrated. The words of a connection are loaded into memory on first use. */
export const createVocabulary = (db: DatabaseSync): Vocabulary => {
  const all = db.prepare('SELECT text FROM word WHERE connection = ? LIMIT ?');
  const add = db.prepare('INSERT OR IGNORE INTO word VALUES (?, ?)');
  const known = new Map<number, Set<string>>();
  const knownTo = (no: number): Set<string> => {
    const before = known.get(no);
    if (before !== undefined) return before;
    const words = new Set(all.all(no, MOST_WORDS).map(({ text }) => String(text)));
    known.set(no, words);
    return words;
  };
  return {
    learn: (no, texts) => {
      const words = knownTo(no);
      for (const word of texts.flatMap(wordsIn).map(folded)) {
        if (words.has(word) || words.size >= MOST_WORDS || !isCorrectable(word)) continue;
        words.add(word);
        add.run(no, word);
      }
    },
    corrections: (no, word) => {
      const typed = folded(word);
      if (!isCorrectable(typed)) return [];
      const found = new Set<string>();
      for (const one of knownTo(no)) {
        const corrected = correctedBeginning(typed, one);
        if (corrected !== undefined) found.add(corrected);
        if (found.size >= MOST_CORRECTIONS) break;
      }
      return [...found];
    },
    forget: () => known.clear(),
  };
};
