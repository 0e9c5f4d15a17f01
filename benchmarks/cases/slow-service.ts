/** Uploads to a service and a storage that take a fixed time for each request, however many requests are concurrent. */
import { join } from 'node:path';
import type { FaultRule } from '../../src/sandbox/faults/fault-plan.ts';
import { createSandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { uploadFresh } from '../support/app.ts';
import { runCurl } from '../support/curl.ts';
import { writeFiles } from '../support/files.ts';
import { alternate, type CaseResult, figure, ratio } from '../support/measure.ts';
import { expectStored, inDirectory, withService } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';

const SIZE_BYTES = 20_000;
const DELAY_MS = 150;
const CURL_PARALLEL = 100;
const ROUNDS = 3;

const SLOW: readonly FaultRule[] = (['sign-upload', 'storage-put'] as const).map((route) => ({
  match: { route },
  effect: { type: 'delay', delayMs: DELAY_MS },
}));

/** Uploads 3,000 × 20 KB (300 with `quick`); every signature and every PUT takes 150 ms. */
export const slowService = ({ rounds, quick }: Scale): Promise<CaseResult> =>
  inDirectory(async (dir) => {
    const root = join(dir, 'folder');
    const count = quick ? 300 : 3_000;
    const files = writeFiles(root, count, SIZE_BYTES);
    return withService([], async ({ sandbox, accessToken, newAssignment }) => {
      const control = createSandboxControl(sandbox);
      await control.faults.add(...SLOW);
      const contender = (name: string, run: (assignment: string) => Promise<number>) => ({
        name,
        run: async () => {
          const assignment = newAssignment();
          const took = await run(assignment);
          await expectStored(control, assignment, count);
          return took;
        },
      });
      const app = contender(
        'app',
        async (assignment) => (await uploadFresh(dir, { sandbox, root, assignment })).seconds,
      );
      const curl = contender(`curl, ${CURL_PARALLEL} at once`, (assignment) =>
        runCurl(dir, { sandbox, accessToken, assignment, files, parallel: CURL_PARALLEL }),
      );
      const samples = await alternate([app, curl], Math.min(rounds, ROUNDS));
      const of = ({ name }: { readonly name: string }) => samples.get(name) ?? [];
      return {
        name: 'slow-service',
        title: `${DELAY_MS} ms for each request, ${count.toLocaleString('en')} × 20 KB`,
        figures: [
          figure(app.name, 's', of(app)),
          figure(curl.name, 's', of(curl)),
          ratio(`app / ${curl.name}`, of(app), of(curl)),
        ],
      };
    });
  });
