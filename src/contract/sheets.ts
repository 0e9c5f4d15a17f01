/** Tables that are saved for spreadsheet programs. */
import { z } from 'zod';
import { call, savedFile } from './call.ts';

export const SheetType = z.enum(['xlsx', 'csv']);
export type SheetType = z.infer<typeof SheetType>;

/** A time in ms since 1970, shown in local time; `day`: only its date is shown. Excel's calendar ends in 9999. */
const SheetTime = z.object({ ms: z.number().max(253_402_300_799_999), day: z.boolean() });

/** A text, number or time. A text is written so that spreadsheet programs do not read it as a formula. */
export const SheetCell = z.union([z.string(), z.number(), SheetTime]);
export type SheetCell = Readonly<z.infer<typeof SheetCell>>;

/** The maximum number of rows per call. */
const SHEET_STEP = 1000;

const open = { exportId: z.uuid() };

export const exportCalls = {
  /**
   * Begins a file for the path that the user chooses; undefined if the user cancels. `rows` appends rows, and only
   * `finish` puts the file at that path. One file is written at a time: a new one abandons the previous one. In CSV,
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
