/** From the files that the page hands over to their paths, which the page itself never names. */

/**
 * The path of each of `files`, asked of `pathOf` (Electron's); nothing unless all are files from the disk. `files` is
 * the page's and may be anything: no method of it is called, and nothing in it is read twice.
 */
export const pathsOfDropped = (files: unknown, pathOf: (file: File) => string): readonly string[] | undefined => {
  if (!Array.isArray(files)) return undefined;
  const paths: string[] = [];
  for (let index = 0; index < files.length; index += 1) {
    const file: unknown = files[index];
    const path = file instanceof File ? pathOf(file) : '';
    // A file that a script made has none.
    if (path === '') return undefined;
    paths.push(path);
  }
  return paths;
};
