/** For tests: what people do with a folder and the app, and sequences of that which are too rare to occur in each run. */
import type { NameTemplate, OnClash } from '../../../../contract/uploads.ts';
import type { Concurrency } from '../pool.ts';
import type { Fate } from './world.ts';

export /** One event in the life of the app's process. */
type Deed =
  | { readonly do: 'resume' | 'retry' | 'cancel'; readonly fates: readonly Fate[] }
  /** Whether it concerns the other folder, which contains the same names. */
  | { readonly do: 'start'; readonly other?: boolean; readonly onClash?: OnClash; readonly fates: readonly Fate[] }
  /** Between two processes: a file is changed, or added to the folder. */
  | { readonly do: 'edit' | 'add'; readonly path: number };

export type FolderOptions = {
  readonly tree: readonly string[];
  readonly nameTemplate: NameTemplate;
  readonly atOnce: Concurrency;
  /** Whether the storage's response to a file contains its MD5. */
  readonly proves?: boolean;
};

/** `count` steps that succeed. */
const ok = (count: number): readonly Fate[] => Array<Fate>(count).fill('ok');

/** A death between two commits. */
const DIES_BETWEEN: Deed[] = [
  { do: 'start', fates: Array<Fate>(60).fill('refused') },
  { do: 'retry', fates: ['ok', 'dies-before'] },
];

/** Two batches continue with a file of the same name, and the service postpones the first one. */
const SAME_NAME_TWICE: Deed[] = [
  { do: 'start', fates: ['ok', 'dies-after'] },
  { do: 'start', fates: ['ok', 'dies-after'] },
  { do: 'resume', fates: Array<Fate>(20).fill('busy') },
];

/** A file fails, its name is given to a file that differs only in case, and then it is retried. */
const NAME_TAKEN_IN_CAPITALS: Deed[] = [
  { do: 'start', fates: ['dies-after'] },
  { do: 'resume', fates: ['busy', 'busy', 'busy', 'busy', 'ok', 'busy', 'busy'] },
  { do: 'add', path: 11 },
];

/** A file is skipped because of one that was swallowed, and whose name another one gets before it is sent again. */
const SKIPPED_FOR_RENAMED: Deed[] = [
  { do: 'start', other: true, onClash: 'replace', fates: [...ok(6), 'busy', 'dies-after'] },
  { do: 'start', fates: [...ok(6), 'lied', ...ok(3), 'dies-after'] },
  { do: 'retry', fates: [...ok(2), 'dies-before'] },
];

/** A file is skipped because of one that was swallowed, and that is refused when it is sent again. */
const SKIPPED_FOR_REFUSED: Deed[] = [
  { do: 'start', onClash: 'replace', fates: [...ok(6), 'lied', 'ok', 'refused'] },
  { do: 'start', other: true, fates: [] },
  { do: 'retry', fates: [...ok(6), 'busy', ...ok(7), 'busy', ...ok(4), 'refused'] },
];

const plain = { nameTemplate: '{name}', atOnce: 1, proves: false } as const;

export const examples: [Required<FolderOptions>, Deed[]][] = [
  [{ ...plain, tree: ['a.txt', 'b.txt'] }, DIES_BETWEEN],
  [{ ...plain, tree: ['a.txt', 'b.txt'] }, SAME_NAME_TWICE],
  [{ ...plain, tree: ['in/in/a.txt'] }, NAME_TAKEN_IN_CAPITALS],
  [{ ...plain, tree: ['in/in/b (2).txt', 'a.txt'] }, SKIPPED_FOR_RENAMED],
  [{ ...plain, tree: ['a.txt', 'in/in - a.txt'] }, SKIPPED_FOR_REFUSED],
];
