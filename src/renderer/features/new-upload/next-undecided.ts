import type { DraftRow } from '../../../contract/drafts.ts';

/** Reads `limit` rows from `offset`. */
type ReadRows = (
  offset: number,
  limit: number,
) => Promise<{ readonly rows: readonly Pick<DraftRow, 'choice'>[]; readonly total: number }>;

const step = 200;

const firstIn = async (read: ReadRows, from: number, to: number): Promise<number | undefined> => {
  for (let offset = from; offset < to; offset += step) {
    const { rows } = await read(offset, Math.min(step, to - offset));
    const found = rows.findIndex(({ choice }) => choice === 'undecided');
    if (found >= 0) return offset + found;
    if (rows.length === 0) return undefined;
  }
  return undefined;
};

/** The position of the next row that needs a decision: at `from` or after it, else before it; undefined without one. */
export const nextUndecided = async (read: ReadRows, from: number): Promise<number | undefined> => {
  const { total } = await read(0, 1);
  return (await firstIn(read, Math.min(from, total), total)) ?? firstIn(read, 0, Math.min(from, total));
};
