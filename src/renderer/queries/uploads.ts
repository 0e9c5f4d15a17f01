import type { ErrorCode } from '../../contract/errors.ts';
import type { ErrorGroup, FileState, UploadFile } from '../../contract/upload-files.ts';
import { useCalls } from './provider.tsx';
import { type Answer, useAnswerQuery } from './use-answer-query.ts';
import { type Rows, useWindowQuery, type WindowState } from './use-window-query.ts';

type Files = { readonly files: readonly UploadFile[]; readonly total: number };

const rowsOf = ({ files, total }: Files): Rows<UploadFile> => ({ rows: files, total });

/** Which files of a batch: all, those in one of `states`, those that failed for `error`. */
export type WhichFiles = { readonly batch: string; readonly states?: readonly FileState[]; readonly error?: ErrorCode };

/** The files of a batch, kept current while it changes. */
export const useBatchFiles = ({ batch, states, error }: WhichFiles): WindowState<Files, UploadFile> => {
  const { files } = useCalls().uploads;
  const which = { batch, ...(states && { states: [...states] }), ...(error && { error }) };
  return useWindowQuery((window) => files({ ...which, ...window }), rowsOf);
};

/** Why files of a batch failed, kept current while it changes. */
export const useErrorGroups = (batch: string): Answer<ErrorGroup[]> =>
  useAnswerQuery(useCalls().uploads.errorGroups({ batch }));
