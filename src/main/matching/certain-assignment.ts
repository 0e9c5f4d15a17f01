/** The one assignment that a folder belongs to, if that is certain enough for nobody to look. */
import type { FolderName, MatchIndex, MatchOptions } from './match-index.ts';

/**
 * By the whole path of the folder; where its last names say nothing, by the folder above them, whose own choice may have been
 * confirmed. Never by the first name alone, that of the chosen folder, unless the folder is that one.
 */
export const certainAssignment = (
  { match }: Pick<MatchIndex, 'match'>,
  folder: FolderName,
  options: MatchOptions,
): string | undefined => {
  const names = folder.path.split('/').filter((name) => name !== '');
  for (let last = names.length - 1; ; last -= 1) {
    const isWhole = last === names.length - 1;
    const { decision, candidates, depth, vetoes } = match(
      isWhole ? folder : { path: names.slice(0, last + 1).join('/'), rootPath: folder.rootPath },
      options,
    );
    if (decision === 'send') return candidates[0]?.AssignmentId;
    // A name below is not what it looks like, or the last name speaks for an assignment, but not clearly.
    if (vetoes.some(({ signal }) => signal === 'characters') || depth >= last || last <= 1) return undefined;
  }
};
