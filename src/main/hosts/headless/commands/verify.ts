/** uploads verify: the files on disk, held against what was uploaded. */
import type { Verdict, VerifiedFile } from '../../../../contract/upload-files.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { type CliContext, withDesk } from '../with-desk.ts';

/** Reads every file of the batch; the exit code says whether all are as they were uploaded. */
export const verify = (context: CliContext, batch: string): Promise<number> =>
  withDesk(context, async (desk) => {
    const { output, signal } = context;
    const { uploads } = desk.connected();
    const { files } = await uploads.get(batch);
    const began = performance.now();
    const counts: Record<Verdict, number> = { same: 0, changed: 0, missing: 0, unreadable: 0, 'not-uploaded': 0 };
    let done = 0;
    const tell = ({ path, FileName, sizeBytes, state, verdict }: VerifiedFile): void => {
      done += 1;
      counts[verdict] += 1;
      output.event({ type: 'file', batch, path, FileName, size: sizeBytes, state, verdict });
      if (verdict !== 'same' && !output.json) output.say(`${WORDS[verdict]}: ${path}`);
    };
    for (let after: number | undefined = 0; after !== undefined; ) {
      const part = await uploads.verify(batch, after, signal);
      output.status('');
      part.files.forEach(tell);
      output.status(`${done} of ${files} files compared`);
      after = part.next;
    }
    output.status('');
    const seconds = Math.round(performance.now() - began) / 1000;
    const { 'not-uploaded': notUploaded, ...rest } = counts;
    output.event({ type: 'summary', batch, files: done, ...rest, notUploaded, seconds });
    if (!output.json) output.result(undefined, () => summaryOf(done, counts));
    return counts.same === done ? EXIT.done : EXIT.failures;
  });

const WORDS: Readonly<Record<Verdict, string>> = {
  same: 'unchanged',
  changed: 'changed',
  missing: 'missing',
  unreadable: 'unreadable',
  'not-uploaded': 'not uploaded',
};

/** The counts in words, without those of which there are none. */
const summaryOf = (files: number, counts: Readonly<Record<Verdict, number>>): string => {
  const verdicts = Object.keys(WORDS) as Verdict[];
  const others = verdicts.filter((verdict) => verdict !== 'same' && counts[verdict] > 0);
  return [
    `${counts.same} of ${files} files unchanged`,
    ...others.map((verdict) => `${counts[verdict]} ${WORDS[verdict]}`),
  ].join(', ');
};
