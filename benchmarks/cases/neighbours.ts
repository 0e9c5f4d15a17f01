/** Measures how an upload affects others on the same line: a user who clicks in the app, and another program. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type DeskWork, runDesk } from '../support/desk-process.ts';
import { type CaseResult, type Figure, figure } from '../support/measure.ts';
import { bytesOf, OFFICES, type OfficeName, wordsOfLine, writeFolder } from '../support/offices.ts';
import { quantiles } from '../support/quantiles.ts';
import { behindLine, inDirectory } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';
import { type SteadyFlow, startSteadyFlow } from '../support/steady-flow.ts';
import { startWatchingStorage } from '../support/watching-storage.ts';

const WATCHED_MS = 12_000;
/**
 * The size of the written files, as a multiple of what the line carries in `WATCHED_MS`: the system's send buffers take
 * some of the files.
 */
const MORE = 1.6;
/** The other program is measured after this time, because both programs need some time to settle. */
const SETTLED_MS = 2_000;
/** The maximum time of a click, in addition to a round trip. */
const CLICK_WAITS_MS = 150;
const KEPT_PERCENT = 80;
/** The minimum share of an unused line that an upload uses while it leaves room for others. */
const FILLED_PERCENT = 90;

/**
 * Measures how long clicks take during an upload on the office's line, and how much of its speed another program keeps.
 */
const besideUpload = (office: OfficeName): Promise<readonly Figure[]> =>
  inDirectory(async (dir) => {
    const { title, line, folder } = OFFICES[office];
    const bytesPerSecond = line.bitsPerSecond / 8;
    const enough = (MORE * bytesPerSecond * WATCHED_MS) / 1000 / bytesOf(folder);
    const { root } = writeFolder(dir, { folder }, enough);
    const storage = await startWatchingStorage();
    return behindLine<readonly Figure[]>(
      dir,
      { line },
      storage,
      async ({ service: { sandbox, newAssignment }, line: running }) => {
        const upload = async (
          { clicks, leaveRoom }: Pick<DeskWork, 'clicks' | 'leaveRoom'>,
          onUploading?: () => void,
        ) => {
          const home = mkdtempSync(join(dir, 'home-'));
          const work = { sandbox, home, root, assignment: newAssignment(), forMs: WATCHED_MS, clicks, leaveRoom };
          let beganMs = Number.NaN;
          const result = await runDesk(work, () => {
            beganMs = performance.now();
            onUploading?.();
          });
          const arrived = storage.arrivals().filter(({ atMs }) => atMs < beganMs + WATCHED_MS);
          const ofLine =
            (arrived.reduce((sum, { bytes }) => sum + bytes, 0) / ((bytesPerSecond * WATCHED_MS) / 1000)) * 100;
          rmSync(home, { recursive: true });
          storage.reset();
          return { ...result, ofLine };
        };
        const { idleClicksMs, busyClicksMs, ofLine } = await upload({ clicks: true, leaveRoom: 'never' });
        const polite = await upload({ clicks: false, leaveRoom: 'always' });

        /** Resolves to the bytes of a flow that arrive in a fixed time, once the flow has settled. */
        const arrived = async (flow: SteadyFlow): Promise<number> => {
          await setTimeout(SETTLED_MS);
          const before = flow.arrivedBytes();
          await setTimeout(WATCHED_MS - 3 * SETTLED_MS);
          return flow.arrivedBytes() - before;
        };
        const first = await startSteadyFlow(running);
        const alone = await arrived(first);
        /**
         * Measures how much of its speed, in percent, a flow keeps during an upload. `flow` is called when the upload
         * has begun.
         */
        const keptBy = async (flow: () => Promise<SteadyFlow>) => {
          let beside = Promise.resolve(Number.NaN);
          const { ofLine } = await upload({ clicks: false, leaveRoom: 'always' }, () => {
            beside = flow().then(arrived);
          });
          return { percent: ((await beside) / alone) * 100, ofLine };
        };
        const earlier = await keptBy(async () => first);
        first.close();
        let second: SteadyFlow | undefined;
        const later = await keptBy(async () => {
          await setTimeout(SETTLED_MS);
          second = await startSteadyFlow(running);
          return second;
        });
        second?.close();

        const name = `${title} (${wordsOfLine(line)})`;
        return [
          { what: `${name}: the upload's part of the line, alone`, unit: '%', value: ofLine },
          {
            what: `${name}: the same, leaving room for others`,
            unit: '%',
            value: polite.ofLine,
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
            what: `${name}: another program that begins during an upload that leaves room keeps`,
            unit: '%',
            value: later.percent,
            atLeast: KEPT_PERCENT,
          },
          { what: `${name}: the upload's part, both together`, unit: '%', value: later.ofLine },
          { what: `${name}: another program that began before the upload keeps`, unit: '%', value: earlier.percent },
        ];
      },
    ).finally(storage.close);
  });

/** Uploads over the lines A and C, during clicks and while another program sends. Ignores `rounds` and `quick`. */
export const neighbours = async (_: Scale): Promise<CaseResult> => ({
  name: 'line-neighbours',
  title: 'beside an upload',
  figures: [...(await besideUpload('c')), ...(await besideUpload('a'))],
});
