/** What the keyboard can do. */
export const shortcuts = {
  title: 'Keyboard shortcuts',
  everywhere: 'Everywhere',
  inTables: 'In tables',
  search: 'Search everywhere',
  rows: 'Previous or next row',
  pageOfRows: 'Ten rows up or down',
  ends: 'First or last row',
  headings: 'Previous or next heading',
  width: 'Narrower or wider column',
  openRow: 'Open the row',
  sort: 'Sort by the heading',
  select: 'Select the row',
  selectMore: 'Select the rows beside it',
  selectAll: 'Select all rows',
  close: 'Close a dialog or the details',
  show: 'Show these shortcuts',
} as const;
