/** uploads verify: compares the files on disk with what was uploaded. */
import type { Verdict, VerifiedFile } from '../../../../contract/uploads.ts';
import type { Speech } from '../../../../words/speech/speech.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { type CliContext, withDesk } from '../support/with-desk.ts';

/** Reads every file of the batch; the exit code says whether all are as they were uploaded. */
export const verify = (context: CliContext, batch: string): Promise<number> =>
  withDesk(context, async (desk) => {
    const { output, signal } = context;
    const { t } = output.speech;
    const { uploads } = desk.connected();
    const { files } = await uploads.get(batch);
    const began = performance.now();
    const counts: Record<Verdict, number> = {
      same: 0,
      changed: 0,
      missing: 0,
      unreadable: 0,
      'not-uploaded': 0,
      removed: 0,
    };
    let done = 0;
    const tell = ({ path, FileName, sizeBytes, state, verdict }: VerifiedFile): void => {
      done += 1;
      counts[verdict] += 1;
      output.event({ type: 'file', batch, path, FileName, size: sizeBytes, state, verdict });
      if (verdict !== 'same' && verdict !== 'removed' && !output.json)
        output.say(`${verdictWord(verdict, t)}: ${path}`);
    };
    for (let after: number | undefined = 0; after !== undefined; ) {
      const part = await uploads.verify(batch, after, signal);
      output.status('');
      part.files.forEach(tell);
      output.status(t('cli.verify.progress', { done, files: t('cli.file', { count: files }) }));
      after = part.next;
    }
    output.status('');
    const seconds = Math.round(performance.now() - began) / 1000;
    const { 'not-uploaded': notUploaded, ...rest } = counts;
    output.event({ type: 'summary', batch, files: done, ...rest, notUploaded, seconds });
    if (!output.json) output.result(undefined, () => summaryOf(done, counts, t));
    return counts.same + counts.removed === done ? EXIT.done : EXIT.failures;
  });

type Translate = Speech<'host'>['t'];
type Difference = Exclude<Verdict, 'same'>;

const differences: readonly Difference[] = ['changed', 'missing', 'unreadable', 'not-uploaded', 'removed'];

const verdictWord = (verdict: Difference, t: Translate): string =>
  t(`cli.verify.verdict.${verdict === 'not-uploaded' ? 'notUploaded' : verdict}`);

/** The counts in words, without those that are 0. */
const summaryOf = (files: number, counts: Readonly<Record<Verdict, number>>, t: Translate): string => {
  const others = differences.filter((verdict) => counts[verdict] > 0);
  return [
    t('cli.verify.summary', { same: counts.same, files: t('cli.file', { count: files }) }),
    ...others.map((verdict) => `${counts[verdict]} ${verdictWord(verdict, t)}`),
  ].join(', ');
};
