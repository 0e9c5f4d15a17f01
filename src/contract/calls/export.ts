/** Files for other programs. */
import { z } from 'zod';
import { call, savedFile } from './call.ts';

export const exportCalls = {
  /** Saves a table as CSV where the person chooses, with semicolons where their numbers have a decimal comma. Errors: `app/unsupported`, `data/unwritable`, `output/…`. */
  csv: call(
    z.object({
      name: z.string().min(1).max(100),
      header: z.array(z.string()).max(100).readonly(),
      rows: z
        .array(z.array(z.union([z.string(), z.number(), z.boolean()])).readonly())
        .max(200_000)
        .readonly(),
    }),
    savedFile,
  ),
};
