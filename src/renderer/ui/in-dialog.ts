/** For the element around a table in a dialog: elsewhere tables extend beyond the edges of the text. */
export const inDialog = { '& table': { minWidth: 0 }, '& > div': { margin: 0 } } as const;
