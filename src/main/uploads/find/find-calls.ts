/** The calls between main and the thread that searches for files. Everything in them is cloneable. */
import type { FileQuery, FoundFiles } from '../../../contract/files.ts';

/** The calls that the thread answers. */
export type FindCalls = {
  /** The first call, made once. Errors: `data/…`. */
  readonly begin: (paths: { readonly ledgerPath: string; readonly indexPath: string }) => void;
  /** With `complete`, only once every file of the ledger is in the index. */
  readonly find: (
    search: { readonly connectionId: string; readonly query: FileQuery; readonly complete: boolean },
    signal: AbortSignal,
  ) => Promise<FoundFiles>;
  readonly end: (nothing: undefined) => void;
};

/** The calls that main answers. */
export type FindMainCalls = {
  /** What people call these assignments of the connection, in their order; an empty text if that is not known. */
  readonly names: (asked: {
    readonly connectionId: string;
    readonly AssignmentIds: readonly string[];
  }) => readonly string[];
};
