/**
 * Matches folders while the assignments of some protocols have not been read yet. However few were read, no certain
 * match may be wrong.
 *
 *     node benchmarks/match/partly-read.ts [--protocols 200000] [--folders 1000] [--read 0.3,1]
 */
import { parseArgs } from 'node:util';
import { createMatchIndex } from '../../src/main/matching/match-index.ts';
import { createRandom } from '../../src/sandbox/sample/sample-data.ts';
import { createFolders } from './folders.ts';
import { COUNTRIES } from './lists.ts';
import { type Judged, qualityOf } from './measure.ts';
import { createWorld, protocolOf, type World } from './world.ts';

const { values } = parseArgs({
  options: {
    protocols: { type: 'string', default: '200000' },
    folders: { type: 'string', default: '1000' },
    read: { type: 'string', default: '0,0.3,0.6,0.9,1' },
  },
});

/**
 * Creates a world with about `count` protocols. A quarter of the facilities have no protocol; their assignments are
 * those of projects.
 */
const worldOf = (count: number): World => createWorld('partly-read', Math.round(count * 1.6), [...COUNTRIES]);

const world = worldOf(Number(values.protocols));
const targets = world.jobs.map(({ target }) => target);
const protocols = new Map(
  targets.flatMap((target) =>
    target.InspectionProtocolId === undefined ? [] : [[target.InspectionProtocolId, protocolOf(target)] as const],
  ),
);
const folders = createFolders('partly-read', Number(values.folders), world);
process.stdout.write(
  `${protocols.size} protocols, ${targets.length} assignments, ${folders.length} folders\n` +
    '| read | certain | wrong | precision | recall | asked | processor |\n|---:|---:|---:|---:|---:|---:|---:|\n',
);

for (const share of values.read.split(',').map(Number)) {
  const random = createRandom('read', String(share));
  const unread = new Map([...protocols].filter(() => !random.chance(share)));
  const known = targets.filter(({ InspectionProtocolId }) => !unread.has(InspectionProtocolId ?? ''));
  const before = process.cpuUsage();
  const index = createMatchIndex(known, { protocols: unread.values(), isPartial: false });
  const judged = folders.map((folder): Judged => {
    const { decision, candidates } = index.match({ path: folder.path });
    const [best] = candidates;
    return { folder, decision, best: best?.AssignmentId, certainty: best?.certainty ?? 0 };
  });
  const { user, system } = process.cpuUsage(before);
  const { sent, wrong, precision, recall, asked } = qualityOf(judged);
  const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
  const cells = [percent(share), sent, wrong, percent(precision), percent(recall), percent(asked)];
  process.stdout.write(`| ${cells.join(' | ')} | ${((user + system) / 1e6).toFixed(1)} s |\n`);
  for (const { folder, decision, best } of judged)
    if (decision === 'send' && best !== folder.truth)
      process.stdout.write(`wrong: ${folder.path}  [${folder.kinds.join(', ')}]\n`);
}
