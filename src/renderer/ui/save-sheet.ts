import type { SheetCell, SheetType } from '../../contract/sheets.ts';
import type { Ui } from './ui-context.ts';

type Sheet = { readonly name: string; readonly type: SheetType; readonly header: readonly string[] };

/**
 * Saves a table as a file for spreadsheet programs, at a place that the user chooses. `pages` yields the rows in parts
 * of at most 1,000. Resolves to undefined if the user cancels. Rejects with an error of `sheets` or `pages`, and then
 * discards the file.
 */
export const saveSheet = async (
  sheets: Ui['sheets'],
  sheet: Sheet,
  pages: AsyncIterable<readonly (readonly SheetCell[])[]>,
): Promise<{ readonly path: string } | undefined> => {
  const file = await sheets.begin(sheet);
  if (file === undefined) return undefined;
  try {
    for await (const rows of pages) await sheets.rows({ ...file, rows });
    return await sheets.finish(file);
  } catch (error) {
    sheets.cancel(file).catch(() => {});
    throw error;
  }
};
