/** Measures uploads to the sandbox as storage, with and without faults: the cost of one failing request in twenty. */
import { join } from 'node:path';
import type { FaultRule, FiredFault } from '../../src/sandbox/faults/fault-plan.ts';
import { createSandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { uploadFresh } from '../support/app.ts';
import { writeFiles } from '../support/files.ts';
import { alternate, type CaseResult, figure, median, ratio } from '../support/measure.ts';
import { expectStored, inDirectory, withService } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';

const SIZE_BYTES = 20_000;

/** Rules are checked in order, so the second can apply only to requests to which the first was not applied. */
const FAULTS: readonly FaultRule[] = [
  {
    match: { route: 'storage-put' },
    when: { probability: 0.025 },
    effect: { type: 'status', status: 503, retryAfterS: 1 },
  },
  { match: { route: 'storage-put' }, when: { probability: 0.025 }, effect: { type: 'reset', at: 'during-body' } },
];

/**
 * Uploads 10,000 files (1,000 with `quick`), with and without faults. The runs with faults are also compared with the
 * least time that their faults allow.
 */
export const faults = ({ rounds, quick }: Scale): Promise<CaseResult> =>
  inDirectory(async (dir) => {
    const root = join(dir, 'folder');
    const count = quick ? 1_000 : 10_000;
    writeFiles(root, count, SIZE_BYTES);
    return withService([], async ({ sandbox, newAssignment }) => {
      const control = createSandboxControl(sandbox);
      const met: (readonly FiredFault[])[] = [];
      const contender = (name: string, rules: readonly FaultRule[]) => ({
        name,
        run: async () => {
          await control.faults.replace(...rules);
          const assignment = newAssignment();
          const { seconds } = await uploadFresh(dir, { sandbox, root, assignment });
          await expectStored(control, assignment, count);
          if (rules.length > 0) met.push(await control.faults.fired());
          return seconds;
        },
      });
      const samples = await alternate([contender('none', []), contender('faults', FAULTS)], rounds);
      const [none = [], faulty = []] = [samples.get('none'), samples.get('faults')];
      const pace = count / median(none);
      const bounds = met.map((fired) => lowerBoundSeconds(fired, count, pace));
      return {
        name: 'faults',
        title: `5% faults (503 with Retry-After 1, resets) on ${count} files`,
        figures: [
          figure('app, no faults', 's', none),
          figure('app, faults', 's', faulty),
          ratio('faults / no faults', faulty, none),
          figure('the least that these faults leave', 's', bounds),
          ratio('faults / the least', faulty, bounds, 1.15),
        ],
      };
    });
  });

/**
 * Returns the least time that these faults allow, in seconds. The first attempts are made at `pace` files a second, the
 * pace without faults. Each 503 adds the pause that it requests. Repeated requests and resets cost nothing here.
 */
const lowerBoundSeconds = (fired: readonly FiredFault[], count: number, pace: number): number => {
  const files = new Map<string, { readonly beganSeconds: number; pauseSeconds: number }>();
  for (const [earlier, { number, path, effect }] of fired.entries()) {
    // Each earlier fault may have led to one more request.
    const file = files.get(path) ?? { beganSeconds: Math.max(0, number - earlier) / pace, pauseSeconds: 0 };
    if (effect.type === 'status') file.pauseSeconds += effect.retryAfterS ?? 0;
    files.set(path, file);
  }
  return Math.max(count / pace, ...files.values().map((file) => file.beganSeconds + file.pauseSeconds));
};
