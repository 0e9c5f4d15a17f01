/** The files of all uploads. */
import { useEffect } from 'react';
import type { FileQuery, FoundFile, FoundFiles } from '../../contract/found-files.ts';
import { useCalls } from './provider.tsx';
import { type Rows, useWindowQuery, type WindowState } from './use-window-query.ts';

/** How soon a search is repeated while files are being added to the index. */
const indexingPauseMs = 1_000;

const rowsOf = ({ files, total }: FoundFiles): Rows<FoundFile> => ({ rows: files, total });

/** The files that match, kept current while uploads go on and while they are being indexed. */
export const useFoundFiles = (
  query: Partial<Omit<FileQuery, 'offset' | 'limit'>>,
): WindowState<FoundFiles, FoundFile> => {
  const { find } = useCalls().files;
  const found = useWindowQuery((window) => find({ ...query, ...window }), rowsOf);
  const { held, reload } = found;
  const indexing = held?.answer.indexing;
  useEffect(() => {
    if (indexing === undefined) return;
    const timer = setTimeout(reload, indexingPauseMs);
    return () => clearTimeout(timer);
  }, [indexing, reload]);
  return found;
};
