/** Compares uploads over an office's line with other programs and with the speed of the line itself. */
import { createContenders } from '../support/contenders.ts';
import { checkLine } from '../support/line-check.ts';
import { alternate, type CaseResult, type Contender, figure, median, ratio } from '../support/measure.ts';
import { OFFICES, type Office, type OfficeName, secondsOfLine, wordsOfLine, writeFolder } from '../support/offices.ts';
import { inDirectory, withLine } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';

/** Measures an office. With `quick`, sends a tenth of the files, and does not measure the line itself. */
export const lineCase =
  (name: OfficeName) =>
  ({ rounds, quick }: Scale): Promise<CaseResult> =>
    inDirectory(async (dir) => {
      const office: Office = OFFICES[name];
      const { line, best, curls: curlNumbers, goals, isSecure = false } = office;
      const { root, files, bytes, sizeBytes, words } = writeFolder(dir, office, quick ? 0.1 : 1);
      // Offices without the goal `lineAlone` use lines that are checked with the other offices.
      const check = quick || goals.lineAlone === undefined ? [] : await checkLine(line);
      return withLine(dir, { line, isSecure }, async ({ service, storage }) => {
        const among = (parallel: number) =>
          createContenders({ dir, root, files, sizeBytes, parallel }, service, storage);
        const named = (words: string, { run }: Contender): Contender => ({ name: words, run });
        const curls = curlNumbers.map((parallel) => named(`curl, ${parallel} at once`, among(parallel).curl));
        const rclone = named(`rclone, ${best.rclone} transfers (PUT only)`, among(best.rclone).rclone);
        const bareLoop = named(`bare loop, ${best.bareLoop} at once`, among(best.bareLoop).bareLoop);
        const { app } = among(0);
        const contenders = [app, ...curls, rclone, bareLoop];
        const samples = await alternate(contenders, Math.min(rounds, office.rounds));
        const of = (contender: string) => samples.get(contender) ?? [];
        const fastest = (peers: readonly Contender[]) =>
          peers.map((peer) => of(peer.name)).reduce((a, b) => (median(a) <= median(b) ? a : b));
        const lineAlone = secondsOfLine(office, bytes);
        return {
          name: `line-${name}`,
          title: `${office.title}: ${wordsOfLine(line)}, ${words}`,
          figures: [
            ...contenders.map((contender) => figure(contender.name, 's', of(contender.name))),
            { what: 'the line alone', unit: 's', value: lineAlone },
            ratio('app / best curl', of('app'), fastest(curls), goals.curl),
            ratio('app / best peer', of('app'), fastest([...curls, rclone, bareLoop]), goals.peers),
            ratio('app / the line alone', of('app'), [lineAlone], goals.lineAlone),
            ...check,
          ],
        };
      });
    });
