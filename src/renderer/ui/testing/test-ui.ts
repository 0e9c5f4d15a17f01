import type { Ui } from '../ui-context.ts';

/** What components take from the app, in short English words; nothing is stored. */
export const testUi = (texts: Partial<Ui['texts']> = {}): Ui => ({
  texts: {
    cancel: 'Cancel',
    clearSearch: 'Clear search',
    columns: 'Columns',
    hiddenColumns: (hidden) => `Columns. Hidden: ${hidden.join(', ')}`,
    usualColumns: 'Default columns',
    resizeColumn: 'Resize',
    unnamed: 'No name',
    unreadableRow: 'This row could not be read.',
    unreadableRows: (count) => `${count} rows could not be read.`,
    selected: (count) => `${count} rows selected`,
    copyRows: 'Copy',
    clearSelection: 'Clear selection',
    copying: 'Copying…',
    copied: (count) => `Copied ${count} rows`,
    copiedPart: (count, selected) => `Copied ${count} of ${selected} rows`,
    notCopied: 'Could not copy',
    notSelected: 'Could not select the rows',
    ...texts,
  },
  marksIn: () => [],
  sheetCell: String,
  useStored: () => [undefined, () => {}],
});
