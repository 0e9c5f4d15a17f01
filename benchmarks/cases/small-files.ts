/** Uploads many small files. The time goes into requests, the ledger and the event loop, not into bytes. */
import { join } from 'node:path';
import { uploadFresh } from '../support/app.ts';
import { createContenders } from '../support/contenders.ts';
import { writeFiles } from '../support/files.ts';
import { alternate, type CaseResult, type Contender, figure, ratio } from '../support/measure.ts';
import { inDirectory, withNginx } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';

const SIZE_BYTES = 20_000;
/** The number of concurrent requests of curl. With more, curl is slower on two cores; with fewer, it waits. */
const PARALLEL = 8;

/** Uploads 5,000 × 20 KB (1,000 with `quick`). */
export const smallFiles = ({ rounds, quick }: Scale): Promise<CaseResult> =>
  inDirectory(async (dir) => {
    const root = join(dir, 'folder');
    const count = quick ? 1_000 : 5_000;
    const files = writeFiles(root, count, SIZE_BYTES);
    return withNginx(dir, async (service, storage) => {
      const work = { dir, root, files, sizeBytes: SIZE_BYTES, parallel: PARALLEL };
      const { app, curl, bareLoop, rclone, appRuns, cpuSecondsOf } = createContenders(work, service, storage);
      const contenders = [app, curl, bareLoop, rclone];
      const samples = await alternate(contenders, rounds);
      storage.empty();
      const assignment = service.newAssignment();
      const probed = await uploadFresh(dir, { sandbox: service.sandbox, root, assignment, probed: true });
      const of = ({ name }: Contender) => samples.get(name) ?? [];
      const cpuOf = (one: Contender) => cpuSecondsOf(one).map((seconds) => (seconds * 1000) / count);
      return {
        name: 'small-files',
        title: `${count} × 20 KB, sign + PUT each`,
        figures: [
          ...contenders.map((one) => figure(one.name, 's', of(one))),
          ratio('app / curl', of(app), of(curl), 1),
          ratio('app / bare loop', of(app), of(bareLoop), 1.15),
          ratio('app / rclone', of(app), of(rclone)),
          ...contenders.map((one) => figure(`${one.name}: processor time for 1,000 files`, 's', cpuOf(one))),
          ratio('app / bare loop: processor time', cpuOf(app), cpuOf(bareLoop), 1.5),
          figure(
            'app: process start, not counted above',
            's',
            appRuns.map(({ startSeconds }) => startSeconds),
          ),
          figure("app: main's event-loop delay, p99", 'ms', [probed.delayP99Ms ?? Number.NaN], 20),
        ],
      };
    });
  });
