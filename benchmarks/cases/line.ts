/** Uploads over an office's line: what the app makes of it, beside other programs and beside the line alone. */
import { createContenders } from '../support/contenders.ts';
import { checkLine } from '../support/line-check.ts';
import { alternate, type CaseResult, type Contender, figure, median, ratio } from '../support/measure.ts';
import { type Letter, OFFICES, type Office, secondsOfLine, wordsOfLine, writeFolder } from '../support/offices.ts';
import { inDirectory, withLine } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';

const CURL_PARALLEL = [32, 100] as const;

/** Measures the office of this letter; with `quick` a tenth of the files, and not the line itself. */
export const lineCase =
  (letter: Letter) =>
  ({ rounds, quick }: Scale): Promise<CaseResult> =>
    inDirectory(async (dir) => {
      const office: Office = OFFICES[letter];
      const { line, best, goals } = office;
      const { root, files, bytes, sizeBytes, words } = writeFolder(dir, office, quick ? 0.1 : 1);
      const check = quick ? [] : await checkLine(line);
      return withLine(dir, line, async ({ service, storage }) => {
        const among = (parallel: number) =>
          createContenders({ dir, root, files, sizeBytes, parallel }, service, storage);
        const named = (name: string, { run }: Contender): Contender => ({ name, run });
        const curls = CURL_PARALLEL.map((parallel) => named(`curl, ${parallel} at once`, among(parallel).curl));
        const rclone = named(`rclone, ${best.rclone} transfers (PUT only)`, among(best.rclone).rclone);
        const bareLoop = named(`bare loop, ${best.bareLoop} at once`, among(best.bareLoop).bareLoop);
        const { app } = among(0);
        const contenders = [app, ...curls, rclone, bareLoop];
        const samples = await alternate(contenders, Math.min(rounds, office.rounds));
        const of = (name: string) => samples.get(name) ?? [];
        const fastest = (peers: readonly Contender[]) =>
          peers.map(({ name }) => of(name)).reduce((a, b) => (median(a) <= median(b) ? a : b));
        const lineAlone = secondsOfLine(line, bytes);
        return {
          name: `line-${letter}`,
          title: `${letter.toUpperCase()}: ${wordsOfLine(line)}, ${words}`,
          figures: [
            ...contenders.map(({ name }) => figure(name, 's', of(name))),
            { what: 'the line alone', unit: 's', value: lineAlone },
            ratio('app / best curl', of('app'), fastest(curls), goals.curl),
            ratio('app / best peer', of('app'), fastest([...curls, rclone, bareLoop]), goals.peers),
            ratio('app / the line alone', of('app'), [lineAlone], goals.lineAlone),
            ...check,
          ],
        };
      });
    });
