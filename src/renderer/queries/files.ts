/** The files of all uploads. */
import { useEffect } from 'react';
import type { FileQuery, FoundFile, FoundFiles } from '../../contract/files.ts';
import type { RendererDesk } from '../state/desk.ts';
import { useCalls } from './provider.tsx';
import { type Answer, useAnswerQuery } from './use-answer-query.ts';
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

type Removable = Awaited<ReturnType<RendererDesk['files']['removable']>>;

/** The files of a batch that can be removed, by folder. */
export const useRemovable = (batchId: string): Answer<Removable> =>
  useAnswerQuery({ ...useCalls().files.removable({ batchId }), gcTime: 0 });

type Removal = Awaited<ReturnType<RendererDesk['files']['removal']>>;

/** The first files of a removal; read again when more of them were `refused`. */
export const useRemoval = (id: number, refused: number, limit: number): Answer<Removal> => {
  const { queryKey, queryFn } = useCalls().files.removal({ id, limit });
  return useAnswerQuery({ queryKey: [...queryKey, refused], queryFn });
};
