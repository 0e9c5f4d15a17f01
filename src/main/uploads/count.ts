/** Files and their bytes. */
export type Count = { readonly files: number; readonly bytes: number };

export const sum = (...counts: readonly Count[]): Count => ({
  files: counts.reduce((total, { files }) => total + files, 0),
  bytes: counts.reduce((total, { bytes }) => total + bytes, 0),
});
