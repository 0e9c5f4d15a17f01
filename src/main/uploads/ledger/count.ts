/** Files and their bytes. */
export type Count = { readonly files: number; readonly bytes: number };

/** All counts together. */
export const sum = (...counts: readonly Count[]): Count => ({
  files: counts.reduce((total, { files }) => total + files, 0),
  bytes: counts.reduce((total, { bytes }) => total + bytes, 0),
});
