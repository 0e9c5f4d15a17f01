/** What a person chose for files whose FileName is taken. */
import type { OnClash } from '../../../contract/uploads.ts';
import type { ClashChoices as PathChoices } from '../../uploads/ledger/batches.ts';

type ClashChoices = {
  /** What happens to the files of a row: to all of them, and to those with paths of their own. */
  readonly of: (rowId: number) => { readonly onClash: OnClash | undefined; readonly clashChoices: PathChoices };
  /** For all files of the row, or those with these paths. Answers what takes it back. */
  readonly set: (rowId: number, onClash: OnClash, paths?: readonly string[]) => () => void;
};

type Choice = { readonly all?: OnClash | undefined; readonly paths: PathChoices };

/** Nothing is chosen. */
export const createClashChoices = (): ClashChoices => {
  const chosen = new Map<number, Choice>();
  return {
    of: (rowId) => ({ onClash: chosen.get(rowId)?.all, clashChoices: chosen.get(rowId)?.paths ?? {} }),
    set: (rowId, onClash, paths) => {
      const before = chosen.get(rowId);
      const some = paths && Object.fromEntries(paths.map((path) => [path, onClash]));
      chosen.set(
        rowId,
        some ? { all: before?.all, paths: { ...before?.paths, ...some } } : { all: onClash, paths: {} },
      );
      return () => {
        if (before) chosen.set(rowId, before);
        else chosen.delete(rowId);
      };
    },
  };
};
