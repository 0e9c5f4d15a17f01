/** The words that all files of a batch are found by: the name of the chosen folder, and the name of the assignment. */
import { chosenFolderOf } from '../source/paths.ts';
import { addWords } from './file-words.ts';
import type { BatchFacts } from './ledger-view.ts';

export type BatchWords = {
  /** Learns the words of a batch, once. */
  readonly add: (batch: BatchFacts) => void;
  /** Learns what people call an assignment. */
  readonly setName: (AssignmentId: string, name: string) => void;
  readonly nameOf: (AssignmentId: string) => string | undefined;
  /** The numbers of the batches of which a word begins with `start`. */
  readonly beginningWith: (start: string) => ReadonlySet<number>;
};

export const createBatchWords = (): BatchWords => {
  const numbersOf = new Map<string, number[]>();
  const known = new Set<number>();
  const ofAssignment = new Map<string, number[]>();
  const names = new Map<string, string>();

  const addTo = (numbers: readonly number[], text: string): void => {
    const words = new Set<string>();
    addWords(words, text);
    for (const word of words) listIn(numbersOf, word).push(...numbers);
  };

  return {
    add: ({ number, root, AssignmentId }) => {
      if (known.has(number)) return;
      known.add(number);
      listIn(ofAssignment, AssignmentId).push(number);
      addTo([number], `${chosenFolderOf({ root, path: '' })} ${names.get(AssignmentId) ?? ''}`);
    },
    setName: (AssignmentId, name) => {
      if (names.get(AssignmentId) === name) return;
      names.set(AssignmentId, name);
      addTo(ofAssignment.get(AssignmentId) ?? [], name);
    },
    nameOf: (AssignmentId) => names.get(AssignmentId),
    beginningWith: (start) => {
      const found = new Set<number>();
      for (const [word, numbers] of numbersOf) if (word.startsWith(start)) for (const one of numbers) found.add(one);
      return found;
    },
  };
};

const listIn = <K, V>(lists: Map<K, V[]>, key: K): V[] => {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
};
