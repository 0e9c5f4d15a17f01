import { useCallback, useEffect, useRef, useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import type { Batch } from '../../../contract/models.ts';
import { useDesk } from '../../app/context.tsx';
import type { Desk } from '../../desk.ts';
import { createPaced, type Paced } from '../../ui/paced.ts';
import { type FileFilter, filterStates } from './file-filter.ts';
import { type FileWindows, noFiles, windowLength, windowsOf, withWindows } from './file-windows.ts';

/** Uploads change many times a second; nobody reads that fast. */
const refreshPauseMs = 500;

export type BatchFiles = {
  /** Undefined until the first answer. */
  readonly files: FileWindows | undefined;
  readonly error: ErrorData | undefined;
  readonly onRange: (first: number, last: number) => void;
  readonly reload: () => void;
};

const readWindow = (desk: Desk, batch: string, filter: FileFilter, number: number) => {
  const states = filterStates[filter];
  return desk.uploads.files({
    batch,
    offset: number * windowLength,
    limit: windowLength,
    ...(states === undefined ? {} : { states }),
  });
};

/** The files of `batch` that `filter` lets through, around those in view; kept current as the batch changes. */
export const useBatchFiles = (batch: Batch, filter: FileFilter): BatchFiles => {
  const desk = useDesk();
  const [files, setFiles] = useState<FileWindows>();
  const [error, setError] = useState<ErrorData>();
  const wanted = useRef<readonly number[]>([0]);
  const reader = useRef<Paced>(undefined);
  const id = batch.batch;

  useEffect(() => {
    let current = true;
    const paced = createPaced(async () => {
      const numbers = wanted.current;
      try {
        const answers = await Promise.all(numbers.map((number) => readWindow(desk, id, filter, number)));
        if (!current) return;
        const answered = new Map(answers.map((answer, position) => [numbers[position] ?? 0, answer.files]));
        setFiles((held = noFiles) => withWindows(held, answered, answers[0]?.total ?? 0));
        setError(undefined);
      } catch (reason) {
        if (current) setError(toErrorData(reason));
      }
    });
    reader.current = paced;
    paced.ask(0);
    return () => {
      current = false;
      paced.stop();
    };
  }, [desk, id, filter]);

  // `batch` is not used but named: whenever it changes, so have its files.
  useEffect(() => reader.current?.ask(refreshPauseMs), [batch]);

  const onRange = useCallback((first: number, last: number) => {
    const numbers = windowsOf(first, last);
    if (numbers.join() === wanted.current.join()) return;
    wanted.current = numbers;
    reader.current?.ask(0);
  }, []);
  return { files, error, onRange, reload: useCallback(() => reader.current?.ask(0), []) };
};
