/** Resolves files from the page to their paths. The page never names a path. */

/**
 * The path of each of `files` by Electron's `pathOf`; undefined unless all are files on disk. `files` comes from the
 * page and may be anything, so none of its methods is called and nothing in it is read twice.
 */
export const pathsOfDropped = (files: unknown, pathOf: (file: File) => string): readonly string[] | undefined => {
  if (!Array.isArray(files)) return undefined;
  const paths: string[] = [];
  for (let index = 0; index < files.length; index += 1) {
    const file: unknown = files[index];
    const path = file instanceof File ? pathOf(file) : '';
    // A file created by a script has no path.
    if (path === '') return undefined;
    paths.push(path);
  }
  return paths;
};
