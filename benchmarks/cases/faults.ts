/** The sandbox as storage, with and without faults: the cost of one failing request in twenty. */
import { join } from 'node:path';
import { createSandboxControl } from '../../src/sandbox/control-client.ts';
import type { FaultRule } from '../../src/sandbox/faults/rules.ts';
import { uploadFresh } from '../support/app.ts';
import { writeFiles } from '../support/files.ts';
import { alternate, type CaseResult, figure, ratio } from '../support/measure.ts';
import { inDirectory, withService } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';

const SIZE_BYTES = 20_000;

/** Rules are checked in order, so the second applies only to requests that the first did not match. */
const FAULTS: readonly FaultRule[] = [
  {
    match: { route: 'storage-put' },
    when: { probability: 0.025 },
    effect: { type: 'status', status: 503, retryAfterS: 1 },
  },
  { match: { route: 'storage-put' }, when: { probability: 0.025 }, effect: { type: 'reset', at: 'during-body' } },
];

/** Uploads 2,000 files (500 with `quick`), with and without faults. */
export const faults = ({ rounds, quick }: Scale): Promise<CaseResult> =>
  inDirectory(async (dir) => {
    const root = join(dir, 'folder');
    const count = quick ? 500 : 2_000;
    writeFiles(root, count, SIZE_BYTES);
    return withService([], async ({ sandbox, newAssignment }) => {
      const control = createSandboxControl(sandbox);
      const contender = (name: string, rules: readonly FaultRule[]) => ({
        name,
        run: async () => {
          await control.faults.clear();
          await control.faults.add(...rules);
          const assignment = newAssignment();
          const { seconds } = await uploadFresh(dir, { sandbox, root, assignment });
          const stored = (await control.objects()).filter(({ AssignmentId }) => AssignmentId === assignment);
          if (stored.length !== count) throw new Error(`${stored.length} objects are stored`);
          return seconds;
        },
      });
      const samples = await alternate([contender('none', []), contender('faults', FAULTS)], rounds);
      const [none = [], faulty = []] = [samples.get('none'), samples.get('faults')];
      return {
        name: 'faults',
        title: `5% faults (503 with Retry-After 1, resets) on ${count} files`,
        figures: [
          figure('app, no faults', 's', none),
          figure('app, faults', 's', faulty),
          ratio('faults / no faults', faulty, none, 1.5),
        ],
      };
    });
  });
