/** Few large files: bytes are read, hashed and sent, and memory must not grow with them. */
import { join } from 'node:path';
import { createContenders } from '../support/contenders.ts';
import { writeFiles } from '../support/files.ts';
import { alternate, type CaseResult, figure, ratio } from '../support/measure.ts';
import { inDirectory, withNginx } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';

const COUNT = 4;
const MB = 1024 * 1024;

/** Uploads 4 × 1 GiB (256 MiB with `quick`). */
export const largeFiles = ({ rounds, quick }: Scale): Promise<CaseResult> =>
  inDirectory(async (dir) => {
    const root = join(dir, 'folder');
    const sizeBytes = (quick ? 256 : 1024) * MB;
    const files = writeFiles(root, COUNT, sizeBytes);
    return withNginx(dir, async (service, storage) => {
      const work = { dir, root, files, sizeBytes, parallel: COUNT };
      const { app, curl, bareLoop, appRuns } = createContenders(work, service, storage);
      const samples = await alternate([app, curl, bareLoop], rounds);
      const of = (name: string) => samples.get(name) ?? [];
      const grown = appRuns.map(({ idleBytes, peakBytes }) => (peakBytes - idleBytes) / MB);
      return {
        name: 'large-files',
        title: `${COUNT} × ${sizeBytes / MB} MiB`,
        figures: [
          figure('app', 's', of('app')),
          figure('curl', 's', of('curl')),
          figure('bare undici', 's', of('bare loop')),
          ratio('app / curl', of('app'), of('curl'), 1.05),
          ratio('app / bare undici', of('app'), of('bare loop')),
          figure('app: memory above idle', 'MB', grown, 200),
        ],
      };
    });
  });
