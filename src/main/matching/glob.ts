/** Paths with `*` (within a name), `**` (any folders) and `?` (one character). */

const ESCAPED = /[.+^${}()|[\]\\]/g;

/** Whether `pattern` has a character that stands for others. */
export const isGlob = (pattern: string): boolean => /[*?]/.test(pattern);

/** A test for paths with `/` that `pattern` means. Case counts as it does on the disk: not at all where names differ only in case. */
export const globTest = (pattern: string): ((path: string) => boolean) => {
  const source = pattern
    .split('/')
    .map((name) =>
      name === '**' ? '**' : name.replace(ESCAPED, '\\$&').replaceAll('*', '[^/]*').replaceAll('?', '[^/]'),
    )
    .join('/')
    .replaceAll('**/', '(?:[^/]+/)*')
    .replace(/(^|\/)\*\*$/, '$1.+');
  const test = new RegExp(`^${source}$`, 'iu');
  return (path) => test.test(path);
};
