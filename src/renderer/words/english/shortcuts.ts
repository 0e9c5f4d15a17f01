/** What the keyboard can do. */
export const shortcuts = {
  title: 'Keyboard shortcuts',
  search: 'Search everywhere',
  rows: 'Previous or next row',
  pageOfRows: 'Ten rows up or down',
  ends: 'First or last row',
  headings: 'Previous or next heading',
  width: 'Narrower or wider column',
  openRow: 'Open the row',
  close: 'Close a dialog',
  show: 'Show these shortcuts',
} as const;
