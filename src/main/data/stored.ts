/**
 * Schemas of database values, for rows read with `setReadBigInts`, so that an integer beyond JavaScript's range affects
 * its own row only.
 */
import { z } from 'zod';

const integer = z.union([z.int(), z.bigint().transform(Number).pipe(z.int())]);

/** A count, or the number of a row. */
export const storedCount = integer.pipe(z.int().min(0));

/** Milliseconds since 1970, within what a clock can show. */
export const storedTime = integer.pipe(z.int().min(0).max(8.64e15));

/** JSON of `schema` in a column of text. */
export const storedJson = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue('not JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);

/** A column that may be null. */
export const absent = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);
