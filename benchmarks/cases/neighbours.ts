/** What others notice of an upload on the same line: a person who clicks in the app, and another program. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type DeskResult, type DeskWork, runDesk } from '../support/desk-process.ts';
import { type CaseResult, type Figure, figure } from '../support/measure.ts';
import { bytesOf, OFFICES, type OfficeName, wordsOfLine, writeFolder } from '../support/offices.ts';
import { quantiles } from '../support/quantiles.ts';
import { inDirectory, withLine } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';
import { startSteadyFlow } from '../support/steady-flow.ts';

/** How long each upload is watched. */
const WATCHED_MS = 12_000;
/** The other program is measured once both have had this time to settle. */
const SETTLED_MS = 2_000;
/** What a click may wait for beside a round trip. */
const CLICK_WAITS_MS = 150;
const KEPT_PERCENT = 80;
/** What an upload that leaves room takes of a line that nobody else uses. */
const FILLED_PERCENT = 90;

/** What is left of another program's transfer beside an upload on the line of this office, and how long clicks wait. */
const besideUpload = (office: OfficeName): Promise<readonly Figure[]> =>
  inDirectory(async (dir) => {
    const { title, line, folder } = OFFICES[office];
    const bytesPerSecond = line.bitsPerSecond / 8;
    const enough = (bytesPerSecond * WATCHED_MS) / 1000 / bytesOf(folder);
    const { root } = writeFolder(dir, { folder }, enough);
    return withLine(dir, { line }, async ({ service: { sandbox, newAssignment }, storage, line: running }) => {
      const upload = async (
        { clicks, leaveRoom }: Pick<DeskWork, 'clicks' | 'leaveRoom'>,
        onUploading?: () => void,
      ): Promise<DeskResult> => {
        const home = mkdtempSync(join(dir, 'home-'));
        const work = { sandbox, home, root, assignment: newAssignment(), forMs: WATCHED_MS, clicks, leaveRoom };
        const result = await runDesk(work, onUploading);
        rmSync(home, { recursive: true });
        storage.empty();
        return result;
      };
      const { idleClicksMs, busyClicksMs, bytes, uploadedMs } = await upload({ clicks: true, leaveRoom: 'never' });
      const polite = await upload({ clicks: false, leaveRoom: 'always' });

      const flow = await startSteadyFlow(running);
      const arrivedIn = async (ms: number): Promise<number> => {
        const before = flow.arrivedBytes();
        await setTimeout(ms);
        return flow.arrivedBytes() - before;
      };
      const watchFlow = async (): Promise<number> => {
        await setTimeout(SETTLED_MS);
        return arrivedIn(WATCHED_MS - 2 * SETTLED_MS);
      };
      const alone = await watchFlow();
      let beside = Promise.resolve(Number.NaN);
      const shared = await upload({ clicks: false, leaveRoom: 'always' }, () => {
        beside = watchFlow();
      });
      const kept = (await beside) / alone;
      flow.close();

      const name = `${title} (${wordsOfLine(line)})`;
      const ofLine = (sent: number, ms: number): number => (sent / ((bytesPerSecond * ms) / 1000)) * 100;
      return [
        { what: `${name}: the upload's part of the line, alone`, unit: '%', value: ofLine(bytes, uploadedMs) },
        {
          what: `${name}: the same, leaving room for others`,
          unit: '%',
          value: ofLine(polite.bytes, polite.uploadedMs),
          atLeast: FILLED_PERCENT,
        },
        figure(`${name}: a click, no upload, p95`, 'ms', [quantiles(idleClicksMs).p95Ms]),
        figure(
          `${name}: a click during the upload, p95`,
          'ms',
          [quantiles(busyClicksMs).p95Ms],
          line.roundTripMs + CLICK_WAITS_MS,
        ),
        {
          what: `${name}: another program keeps beside an upload that leaves room`,
          unit: '%',
          value: kept * 100,
          atLeast: KEPT_PERCENT,
        },
        { what: `${name}: the upload's part beside it`, unit: '%', value: ofLine(shared.bytes, shared.uploadedMs) },
      ];
    });
  });

/** Uploads over the lines A and C, beside clicks and beside another program; `rounds` and `quick` change nothing. */
export const neighbours = async (_: Scale): Promise<CaseResult> => ({
  name: 'line-neighbours',
  title: 'beside an upload',
  figures: [...(await besideUpload('c')), ...(await besideUpload('a'))],
});
