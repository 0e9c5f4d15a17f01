/** Few large files: bytes are read, hashed and sent, and memory must not grow with them. */
import { join } from 'node:path';
import { createContenders } from '../support/contenders.ts';
import { writeFiles } from '../support/files.ts';
import { alternate, type CaseResult, figure, ratio } from '../support/measure.ts';
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
      const samples = await alternate([app, curlAndSha256sum, curlAndOpenssl, curl, bareLoop], rounds);
      const of = (name: string) => samples.get(name) ?? [];
      const cpuOf = (name: string) => cpuSecondsOf(name).map((seconds) => seconds / ((COUNT * sizeBytes) / GIB));
      const grown = appRuns.map(({ idleBytes, peakBytes }) => (peakBytes - idleBytes) / MB);
      return {
        name: 'large-files',
        title: `${COUNT} × ${sizeBytes / MB} MiB`,
        figures: [
          figure('app', 's', of('app')),
          figure('curl beside sha256sum', 's', of('curl and sha256sum')),
          figure('curl beside openssl dgst -sha256', 's', of('curl and openssl')),
          figure('curl, which does not hash', 's', of('curl')),
          figure('bare undici, which does not hash', 's', of('bare loop')),
          ratio('app / curl beside sha256sum', of('app'), of('curl and sha256sum'), 1),
          ratio('app / curl beside openssl', of('app'), of('curl and openssl'), 1),
          figure('app: processor time for 1 GiB', 's', cpuOf('app')),
          figure('curl beside sha256sum: the same', 's', cpuOf('curl and sha256sum')),
          figure('curl beside openssl: the same', 's', cpuOf('curl and openssl')),
          figure('curl: the same', 's', cpuOf('curl')),
          figure('bare undici: the same', 's', cpuOf('bare loop')),
          figure('app: memory above idle', 'MB', grown, 200),
        ],
      };
    });
  });
