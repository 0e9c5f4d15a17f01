import { z } from 'zod';

/** The order of a table's rows; `by` is the `sort` of one of its columns. */
export const Sort = z.object({ by: z.string(), descending: z.boolean() });
export type Sort = Readonly<z.infer<typeof Sort>>;

/** The order after the heading of `by` is pressed: first ascending, then descending. */
export const nextSort = (sort: Sort | undefined, by: string): Sort => ({
  by,
  descending: sort?.by === by && !sort.descending,
});
