/** For tests: what users do with a folder and the app, and histories of such events that once had a wrong result. */
import type { NameTemplate, OnClash } from '../../../../contract/uploads.ts';
import type { Concurrency } from '../../transfer/pool.ts';
import type { Fate } from './world.ts';

/** One event in the life of the app's process. */
export type Deed =
  | { readonly do: 'resume' | 'retry' | 'cancel'; readonly fates: readonly Fate[] }
  /** `other`: the upload is of another folder, which contains the same names. */
  | { readonly do: 'start'; readonly other?: boolean; readonly onClash?: OnClash; readonly fates: readonly Fate[] }
  /** While no process runs, a file is changed, or added to the folder. */
  | { readonly do: 'edit' | 'add'; readonly path: number };

export type FolderOptions = {
  readonly tree: readonly string[];
  readonly nameTemplate: NameTemplate;
  readonly atOnce: Concurrency;
  /** Whether the storage's response to a file contains its MD5. */
  readonly proves?: boolean;
  /** Whether the service gives a FileName the same Key each time. */
  readonly reusesKeys?: boolean;
};

/** `count` steps that succeed. */
const ok = (count: number): readonly Fate[] => Array<Fate>(count).fill('ok');

const plain = { nameTemplate: '{name}', atOnce: 1 } as const;

/** Histories that random histories are very unlikely to contain. */
export const examples: readonly {
  readonly although: string;
  readonly folder: FolderOptions;
  readonly deeds: readonly Deed[];
}[] = [
  {
    although: 'the process dies between two commits',
    folder: { ...plain, tree: ['a.txt', 'b.txt'] },
    deeds: [
      { do: 'start', fates: Array<Fate>(60).fill('refused') },
      { do: 'retry', fates: ['ok', 'dies-before'] },
    ],
  },
  {
    although: 'two batches continue with a file of the same name, and the service postpones the first one',
    folder: { ...plain, tree: ['a.txt', 'b.txt'] },
    deeds: [
      { do: 'start', fates: ['ok', 'dies-after'] },
      { do: 'start', fates: ['ok', 'dies-after'] },
      { do: 'resume', fates: Array<Fate>(20).fill('busy') },
    ],
  },
  {
    although: 'a file fails, its name is given to a file that differs only in case, and then it is retried',
    folder: { ...plain, tree: ['in/in/a.txt'] },
    deeds: [
      { do: 'start', fates: ['dies-after'] },
      { do: 'resume', fates: ['busy', 'busy', 'busy', 'busy', 'ok', 'busy', 'busy'] },
      { do: 'add', path: 11 },
    ],
  },
  {
    although:
      'it is skipped because of one that was swallowed, and whose name another one gets before it is sent again',
    folder: { ...plain, tree: ['in/in/b (2).txt', 'a.txt'] },
    deeds: [
      { do: 'start', other: true, onClash: 'replace', fates: [...ok(6), 'busy', 'dies-after'] },
      { do: 'start', fates: [...ok(6), 'lied', ...ok(3), 'dies-after'] },
      { do: 'retry', fates: [...ok(2), 'dies-before'] },
    ],
  },
  {
    although: 'it is skipped because of one that was swallowed, and that is refused when it is sent again',
    folder: { ...plain, tree: ['a.txt', 'in/in - a.txt'] },
    deeds: [
      { do: 'start', onClash: 'replace', fates: [...ok(6), 'lied', 'ok', 'refused'] },
      { do: 'start', other: true, fates: [] },
      { do: 'retry', fates: [...ok(6), 'busy', ...ok(7), 'busy', ...ok(4), 'refused'] },
    ],
  },
];
