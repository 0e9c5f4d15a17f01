/**
 * Measures the quality and speed of matching. benchmarks/README.md explains the figures.
 *
 *     npm run bench:match [-- --record] [--wrong]
 */
import { parseArgs } from 'node:util';
import { createMatchIndex } from '../../src/main/matching/match-index.ts';
import { byFuzzyRatio, byIdsAlone } from './baselines.ts';
import { createFolders } from './folders.ts';
import { COUNTRIES } from './lists.ts';
import { type Judged, qualityBy, qualityOf, reliabilityOf } from './measure.ts';
import { record, reportOf } from './report.ts';
import { measureSpeed } from './speed.ts';
import { createWorld } from './world.ts';

const { values } = parseArgs({
  options: { record: { type: 'boolean', default: false }, wrong: { type: 'boolean', default: false } },
});

/**
 * The generated worlds, with the folders to match. The weights in src/main/matching/certainty.ts were fitted on worlds
 * of other seeds.
 */
const SETS = Array.from({ length: 6 }, (_, at) => {
  const countries = [at, at + 1, at + 4].map((one) => COUNTRIES[one % COUNTRIES.length] ?? 'no');
  const world = createWorld(`measured-${at}`, [300, 1000, 3000, 3000, 8000, 12_000][at] ?? 3000, countries);
  return { world, folders: createFolders(`measured-${at}`, 5000, world) };
});

const judged = SETS.flatMap(({ world, folders }): readonly Judged[] => {
  const index = createMatchIndex(world.jobs.map(({ target }) => target));
  return folders.map((folder) => {
    const { decision, candidates } = index.match({ path: folder.path });
    return { folder, decision, best: candidates[0]?.AssignmentId, certainty: candidates[0]?.certainty ?? 0 };
  });
});

if (values.wrong) {
  for (const { folder, decision, certainty } of judged.filter(
    ({ folder, decision, best }) => decision === 'send' && folder.truth !== best,
  ))
    process.stdout.write(`wrong  ${certainty.toFixed(3)} ${decision} ${folder.path}  [${folder.kinds.join(', ')}]\n`);
  const missed = judged.filter(({ folder, decision }) => folder.isDeterminable && decision !== 'send');
  for (const { folder, decision, certainty } of missed.filter((_, at) => at % Math.ceil(missed.length / 150) === 0))
    process.stdout.write(`missed ${certainty.toFixed(3)} ${decision} ${folder.path}  [${folder.kinds.join(', ')}]\n`);
}
const report = reportOf({
  quality: qualityOf(judged),
  reliability: reliabilityOf(judged),
  byKind: qualityBy(judged, ({ kinds }) => kinds),
  byCountry: qualityBy(judged, ({ country }) => [country]),
  baselines: [
    ['exact ids only', qualityOf(SETS.slice(0, 3).flatMap(byIdsAlone))],
    ['fuzzy ratio over the address', qualityOf(byFuzzyRatio(SETS.slice(0, 3)))],
  ],
  speed: measureSpeed(),
});
process.stdout.write(`${report}\n`);
if (values.record) record(report);
