/** Plans and queues files, with their metadata only. The cost of a file must not depend on the number of files. */
import { measurePlanScale } from '../plan-scale.ts';
import type { CaseResult, Figure } from '../support/measure.ts';
import type { Scale } from '../support/scale.ts';

/** Plans up to 1,000,000 files (100,000 with `quick`). Ignores `rounds`. */
export const planning = async ({ quick }: Scale): Promise<CaseResult> => {
  const sizes = quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000];
  const measured = measurePlanScale(sizes);
  const [least, most] = [measured[0], measured.at(-1)];
  if (!least || !most) throw new Error('nothing was measured');
  return {
    name: 'planning',
    title: `${sizes.map((size) => size.toLocaleString('en')).join(' / ')} files planned and queued`,
    figures: [
      ...measured.map(
        ({ files, microsecondsPerFile }): Figure => ({
          what: `a file of ${files.toLocaleString('en')}`,
          unit: 'µs',
          value: microsecondsPerFile,
        }),
      ),
      {
        what: 'a file of the most / of the least',
        unit: '×',
        value: most.microsecondsPerFile / least.microsecondsPerFile,
        atMost: 1.25,
      },
      { what: 'memory with the most, Node included', unit: 'MB', value: most.rssMB, atMost: 300 },
    ],
  };
};
