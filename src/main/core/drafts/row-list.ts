/** The rows of a draft as a table: filtered, searched and sorted, a window at a time. */

import type { DraftFilter, DraftRow } from '../../../contract/drafts.ts';
import { assignmentName } from '../../../contract/resources.ts';
import { plainWords } from '../../matching/names.ts';

type RowQuery = {
  readonly filter: DraftFilter;
  readonly text?: string | undefined;
  readonly sort?: 'path' | 'files' | 'bytes' | 'assignment' | 'certainty' | undefined;
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
};

export const isProblem = ({ choice, warnings }: DraftRow): boolean => choice !== 'left-out' && warnings.length > 0;

const FILTERS: Readonly<Record<DraftFilter, (row: DraftRow) => boolean>> = {
  all: () => true,
  undecided: ({ choice }) => choice === 'undecided',
  matched: ({ choice }) => choice === 'assignment',
  'left-out': ({ choice }) => choice === 'left-out',
  problems: isProblem,
};

const collator = new Intl.Collator('en', { numeric: true });

/** As people sort folders: `Road 9` before `Road 10`. */
export const comparePaths = (one: string, other: string): number => collator.compare(one, other);

const nameOf = ({ assignment }: DraftRow): string => (assignment ? assignmentName(assignment) : '');

const ORDERS = {
  path: () => 0,
  files: (one, other) => one.files - other.files,
  bytes: (one, other) => one.bytes - other.bytes,
  assignment: (one, other) => collator.compare(nameOf(one), nameOf(other)),
  certainty: (one, other) => (one.certainty ?? 0) - (other.certainty ?? 0),
} as const satisfies Readonly<Record<NonNullable<RowQuery['sort']>, (one: DraftRow, other: DraftRow) => number>>;

/** They are searched again with each letter that is typed. */
const foldedRows = new WeakMap<DraftRow, string>();

/** The words of a row, as they are compared with a search. */
export const foldedOf = (row: DraftRow): string => {
  const known = foldedRows.get(row);
  if (known !== undefined) return known;
  const folded = plainWords(`${row.path} ${row.fileNames?.join(' ') ?? ''} ${nameOf(row)}`).join(' ');
  foldedRows.set(row, folded);
  return folded;
};

/**
 * The rows that a query selects, in its order: those that need a decision first, unless it says otherwise. `rows` are in the
 * order of their paths.
 */
export const selectRows = (
  rows: readonly DraftRow[],
  { filter, text = '', sort, descending }: Omit<RowQuery, 'offset' | 'limit'>,
): readonly DraftRow[] => {
  const words = plainWords(text);
  const found = rows.filter(FILTERS[filter]).filter((row) => {
    if (words.length === 0) return true;
    const folded = foldedOf(row);
    return words.every((word) => folded.includes(word));
  });
  const inOrder = found.sort(ORDERS[sort ?? 'path']);
  if (sort !== undefined) return descending ? inOrder.reverse() : inOrder;
  const isFirst = FILTERS.undecided;
  return [...inOrder.filter(isFirst), ...inOrder.filter((row) => !isFirst(row))];
};
