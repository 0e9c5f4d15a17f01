/**
 * Folders are matched while the assignments of some protocols have not been read yet. A certain match has to stay
 * certain once all have been read. benchmarks/match/partly-read.ts measures this with 200,000 protocols.
 */
import { expect, test } from 'vitest';
import { createFolders } from '../../benchmarks/match/folders.ts';
import { createWorld, protocolOf } from '../../benchmarks/match/world.ts';
import { createMatchIndex } from '../../src/main/matching/match-index.ts';
import { createRandom } from '../../src/sandbox/sample/sample-data.ts';

const world = createWorld('partly', 3_000, ['no', 'se', 'gb']);
const folders = createFolders('partly', 500, world);
const targets = world.jobs.map(({ target }) => target);
const whole = createMatchIndex(targets);

test.each([0, 0.1, 0.3, 0.6, 0.9])('what is certain with %d of the lists is certain with all of them', (share) => {
  const random = createRandom('partly', String(share));
  const ids = new Set(targets.flatMap(({ InspectionProtocolId: id }) => id ?? []));
  const unread = new Set([...ids].filter(() => !random.chance(share)));
  const isUnread = ({ InspectionProtocolId: id }: { readonly InspectionProtocolId?: string }): boolean =>
    id !== undefined && unread.has(id);
  const known = targets.filter((target) => !isUnread(target));
  const partly = createMatchIndex(known, { protocols: targets.filter(isUnread).map(protocolOf), isPartial: false });
  let certain = 0;
  for (const { path } of folders) {
    const { decision, candidates } = partly.match({ path });
    if (decision !== 'send') continue;
    certain += 1;
    const { decision: inAll, candidates: all } = whole.match({ path });
    expect([path, inAll, all[0]?.AssignmentId]).toEqual([path, 'send', candidates[0]?.AssignmentId]);
  }
  expect(certain).toBeGreaterThan(0);
});
