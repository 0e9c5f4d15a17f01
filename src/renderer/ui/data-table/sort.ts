import { z } from 'zod';
import { formats } from '../../words/formats.ts';

/** The order of a table's rows: `by` is the `sort` of one of its columns. */
export const Sort = z.object({ by: z.string(), descending: z.boolean() });
export type Sort = Readonly<z.infer<typeof Sort>>;

/** What pressing the heading of `by` leads to: first ascending, then descending. */
export const nextSort = (sort: Sort | undefined, by: string): Sort => ({
  by,
  descending: sort?.by === by && !sort.descending,
});

/** A text or a number to sort by. */
export type SortValue = string | number;

const compare = (a: SortValue, b: SortValue): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : formats().collator.compare(String(a), String(b));

/** `rows` in the order of `valueIn`; rows without a value stand last either way. */
export const sortRows = <Row>(
  rows: readonly Row[],
  valueIn: (row: Row) => SortValue,
  descending: boolean,
): readonly Row[] => {
  const keyed = rows.map((row) => ({ row, value: valueIn(row) }));
  const sign = descending ? -1 : 1;
  return keyed
    .sort((a, b) => Number(a.value === '') - Number(b.value === '') || sign * compare(a.value, b.value))
    .map(({ row }) => row);
};
