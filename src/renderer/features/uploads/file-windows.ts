/** Which parts of a batch's file list are held: windows of equal length, only those near what is in view. */
import type { UploadFile } from '../../../contract/models.ts';

export const windowLength = 200;

export type FileWindows = {
  readonly total: number;
  /** By the window's number; window 0 holds the files from 0. */
  readonly windows: ReadonlyMap<number, readonly UploadFile[]>;
};

export const noFiles: FileWindows = { total: 0, windows: new Map() };

/** The numbers of the windows that hold the files from `first` to `last`. */
export const windowsOf = (first: number, last: number): readonly number[] => {
  const from = Math.floor(first / windowLength);
  const to = Math.floor(Math.max(first, last) / windowLength);
  return Array.from({ length: to - from + 1 }, (_, step) => from + step);
};

/** The file at `index`; undefined while its window is on its way. */
export const fileAt = ({ windows }: FileWindows, index: number): UploadFile | undefined =>
  windows.get(Math.floor(index / windowLength))?.[index % windowLength];

/** What is held after an answer: windows out of view are let go, they would grow stale. */
export const withWindows = (
  held: FileWindows,
  answered: ReadonlyMap<number, readonly UploadFile[]>,
  total: number,
): FileWindows => {
  const near = [...answered.keys()];
  const kept = [...held.windows].filter(([number]) => near.some((other) => Math.abs(other - number) <= 1));
  return { total, windows: new Map([...kept, ...answered]) };
};
