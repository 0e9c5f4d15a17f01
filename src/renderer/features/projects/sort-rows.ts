import { formats } from '../../words/formats.ts';

export type SortValue = string | number;

const compare = (a: SortValue, b: SortValue): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : formats().collator.compare(String(a), String(b));

/** `rows` in the order of `valueIn`; rows without a value come last in either order. */
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
