import { z } from 'zod';
import { call, savedFile } from './call.ts';

export const SheetType = z.enum(['xlsx', 'csv']);
export type SheetType = z.infer<typeof SheetType>;

/** The end of the year 9999, the last year that Excel supports, in ms since 1970. */
export const LAST_SHEET_MS = 253_402_300_799_999;

/** A time in ms since 1970, shown in local time. `day`: whether only the date is shown. */
const SheetTime = z.object({ ms: z.number().max(LAST_SHEET_MS), day: z.boolean() });

/** A cell: a text, a number or a time. Texts are written so that spreadsheet programs do not read them as formulas. */
export const SheetCell = z.union([z.string(), z.number(), SheetTime]);
export type SheetCell = Readonly<z.infer<typeof SheetCell>>;

const SHEET_STEP = 1000;

const open = { exportId: z.uuid() };

export const exportCalls = {
  /**
   * Lets the user choose a path and begins a file; undefined if the user cancels. The file appears at the chosen path
   * when `finish` is called. One file is written at a time: beginning another abandons an unfinished one. In CSV,
   * semicolons separate the cells if the user's numbers have a decimal comma. Errors: `app/unsupported`,
   * `data/unwritable`, `output/…`.
   */
  begin: call(
    z.object({
      name: z.string().min(1).max(100),
      type: SheetType,
      header: z.array(z.string()).max(100).readonly(),
    }),
    z.object(open).optional(),
  ),
  /** Appends rows. Errors: `data/unwritable`, `input/invalid` for a file that was finished or abandoned. */
  rows: call(
    z.object({ ...open, rows: z.array(z.array(SheetCell).max(100).readonly()).max(SHEET_STEP).readonly() }),
    z.void(),
  ),
  /** Completes the file. Errors: `data/unwritable`, `input/invalid` for a file that was finished or abandoned. */
  finish: call(z.object(open), savedFile),
  cancel: call(z.object(open), z.void()),
};
