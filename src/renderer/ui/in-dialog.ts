/** For the element around a table in a dialog, whose width it keeps to: elsewhere tables reach over the text's edges. */
export const inDialog = { '& table': { minWidth: 0 }, '& > div': { margin: 0 } } as const;
