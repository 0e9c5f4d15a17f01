/**
 * Uploads a few large files. The time goes into reading, hashing and sending bytes, and memory must not grow with them.
 */
import { join } from 'node:path';
import { createContenders } from '../support/contenders.ts';
import { writeFiles } from '../support/files.ts';
import { alternate, type CaseResult, type Contender, figure, ratio } from '../support/measure.ts';
import { inDirectory, withNginx } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';

const COUNT = 4;
const MB = 1024 * 1024;
const GIB = 1024 * MB;

/** Uploads 4 × 1 GiB (256 MiB with `quick`). */
export const largeFiles = ({ rounds, quick }: Scale): Promise<CaseResult> =>
  inDirectory(async (dir) => {
    const root = join(dir, 'folder');
    const sizeBytes = (quick ? 256 : 1024) * MB;
    const files = writeFiles(root, COUNT, sizeBytes);
    return withNginx(dir, async (service, storage) => {
      const work = { dir, root, files, sizeBytes, parallel: COUNT };
      const { app, curlAndSha256sum, curlAndOpenssl, curl, bareLoop, appRuns, cpuSecondsOf } = createContenders(
        work,
        service,
        storage,
      );
      const contenders = [app, curlAndSha256sum, curlAndOpenssl, curl, bareLoop];
      const samples = await alternate(contenders, rounds);
      const of = ({ name }: Contender) => samples.get(name) ?? [];
      const cpuOf = (one: Contender) => cpuSecondsOf(one).map((seconds) => seconds / ((COUNT * sizeBytes) / GIB));
      const grown = appRuns.map(({ idleBytes, peakBytes }) => (peakBytes - idleBytes) / MB);
      return {
        name: 'large-files',
        title: `${COUNT} × ${sizeBytes / MB} MiB`,
        figures: [
          ...contenders.map((one) => figure(one.name, 's', of(one))),
          ratio('app / curl beside sha256sum', of(app), of(curlAndSha256sum), 1),
          ratio('app / curl beside openssl', of(app), of(curlAndOpenssl), 1),
          ...contenders.map((one) => figure(`${one.name}: processor time for 1 GiB`, 's', cpuOf(one))),
          figure('app: memory above idle', 'MB', grown, 200),
        ],
      };
    });
  });
