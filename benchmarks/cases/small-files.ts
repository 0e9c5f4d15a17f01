/** Many small files: where the time goes into requests, the ledger and the event loop, not into bytes. */
import { join } from 'node:path';
import { uploadFresh } from '../support/app.ts';
import { createContenders } from '../support/contenders.ts';
import { writeFiles } from '../support/files.ts';
import { alternate, type CaseResult, figure, ratio } from '../support/measure.ts';
import { inDirectory, withNginx } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';

const SIZE_BYTES = 20_000;
/** With more, curl is slower on two cores; with fewer, it waits. */
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
      const samples = await alternate([app, curl, bareLoop, rclone], rounds);
      storage.empty();
      const assignment = service.newAssignment();
      const probed = await uploadFresh(dir, { sandbox: service.sandbox, root, assignment, probed: true });
      const of = (name: string) => samples.get(name) ?? [];
      const cpuOf = (name: string) => cpuSecondsOf(name).map((seconds) => (seconds * 1000) / count);
      return {
        name: 'small-files',
        title: `${count} × 20 KB, sign + PUT each`,
        figures: [
          figure('app', 's', of('app')),
          figure('curl', 's', of('curl')),
          figure('bare undici loop', 's', of('bare loop')),
          figure('rclone (PUT only)', 's', of('rclone')),
          ratio('app / curl', of('app'), of('curl'), 1),
          ratio('app / bare loop', of('app'), of('bare loop'), 1.15),
          ratio('app / rclone', of('app'), of('rclone')),
          figure('app: processor time for 1,000 files', 's', cpuOf('app')),
          figure('curl: the same', 's', cpuOf('curl')),
          figure('bare undici loop: the same', 's', cpuOf('bare loop')),
          figure('rclone: the same', 's', cpuOf('rclone')),
          ratio('app / bare loop: processor time', cpuOf('app'), cpuOf('bare loop'), 1.5),
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
