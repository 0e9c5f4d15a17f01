import { useEffect, useState } from 'react';
import { toErrorData } from '../../../contract/errors.ts';
import type { SentBefore } from '../../../contract/files.ts';
import { useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { useReport } from '../../state/use-report.ts';

export type SentBeforeState = {
  /** Asks for these files, which were dropped, in place of those before. */
  readonly take: (files: readonly File[]) => void;
  readonly answers: readonly SentBefore[];
  readonly busy: boolean;
  readonly isEmpty: boolean;
  /** Stops reading, and forgets the answers. */
  readonly close: () => void;
};

/** Whether files that were dropped had been uploaded. Main stops reading them when nobody waits for it. */
export const useSentBefore = (): SentBeforeState => {
  const desk = useDesk();
  const report = useReport();
  const [answers, setAnswers] = useState<readonly SentBefore[]>([]);
  const { run, busy } = useAction(
    async (files: readonly File[]) => {
      setAnswers([]);
      const folderIds = (await desk.adoptDropped(files)).map(({ folderId }) => folderId);
      if (folderIds.length > 0) setAnswers(await desk.files.sentBefore({ folderIds }));
    },
    (error) => {
      if (toErrorData(error).code !== 'app/cancelled') report(error);
    },
  );
  const { cancelSentBefore } = desk.files;
  useEffect(() => () => void cancelSentBefore(), [cancelSentBefore]);
  return {
    take: run,
    answers,
    busy,
    isEmpty: !busy && answers.length === 0,
    close: () => {
      setAnswers([]);
      void cancelSentBefore();
    },
  };
};
