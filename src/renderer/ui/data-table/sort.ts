import { z } from 'zod';

/** The order of a table's rows: `by` is the `sort` of one of its columns. */
export const Sort = z.object({ by: z.string(), descending: z.boolean() });
export type Sort = Readonly<z.infer<typeof Sort>>;

/** What pressing the heading of `by` leads to: first ascending, then descending. */
export const nextSort = (sort: Sort | undefined, by: string): Sort => ({
  by,
  descending: sort?.by === by && !sort.descending,
});
