/**
 * Fits the weights in src/main/matching/certainty.ts: multinomial logistic regression over the candidates of each
 * folder and "none of them", drawn towards the previous weights.
 *
 *     node benchmarks/match/fit.ts [directory of real addresses]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Feature, WEIGHTS } from '../../src/main/matching/certainty.ts';
import { createFinder, finished } from '../../src/main/matching/match-index.ts';
import { type MatchTarget, readOffice } from '../../src/main/matching/targets.ts';
import { createFolders } from './folders.ts';
import type { Country } from './lists.ts';
import { HALVES } from './real/conventions.ts';
import { createFolders as createRealFolders } from './real/folders.ts';
import { countriesIn, createOffice } from './real/office.ts';
import { createWorld } from './world.ts';

const TRAINED: readonly (readonly [number, readonly Country[]])[] = [
  [200, ['no']],
  [1000, ['no', 'se']],
  [2000, ['gb', 'dk']],
  [3000, ['de', 'fi']],
  [6000, ['no', 'gb', 'se']],
  [10_000, ['de', 'dk', 'no']],
];
const FOLDERS = 4000;
const ROUNDS = 800;
/** How strongly a weight is drawn towards its previous value. */
const PULL = 0.0001;
const RATE = 0.1;

const EXPLAINED = /^(unit|zip|city|performer|house|street)$/;
/**
 * The maximum weight of `unit-missing`. A name without a flat may refer to another flat of the house, although in the
 * folders of the fit it usually refers to the flat of the assignment.
 */
const MOST_WITHOUT_FLAT = -2.25;
/**
 * The weight of `confirmed` and that of `bias` together. No folder of the fit has the feature `confirmed`, so it cannot
 * be fitted.
 */
const CONFIRMED = 3.94;

const features = Object.keys(WEIGHTS).filter((name): name is Feature => name in WEIGHTS);
const numberOf = new Map(features.map((feature, at) => [feature, at]));

type Example = { readonly candidates: readonly (readonly number[])[]; readonly truth: number };

/** The features of the candidates of each folder, and which candidate is the right one. */
const examplesOf = (
  targets: readonly MatchTarget[],
  folders: readonly { readonly path: string; readonly truth: string | undefined }[],
): readonly Example[] => {
  const office = finished(readOffice(targets, []));
  const find = createFinder(office);
  return folders.flatMap(({ path, truth }) => {
    const found = find({ path });
    const candidates = found.map(({ evidence }) =>
      ['bias' as const, ...evidence.features].map((one) => numberOf.get(one) ?? 0),
    );
    const position = found.findIndex((one) => office.reads[one.position]?.target.AssignmentId === truth);
    return candidates.length === 0 ? [] : [{ candidates, truth: position }];
  });
};

/** The examples with real addresses, of the countries that matching may be adjusted to. */
const realExamples = (data: string): readonly Example[] => {
  const directory = pathToFileURL(`${resolve(data)}/`);
  return countriesIn(directory)
    .filter((one) => HALVES.fitted.includes(one))
    .flatMap((country) => {
      const office = createOffice('fitted', country, 2500, directory);
      const folders = createRealFolders('fitted', 1500, office).map(({ path, meant }) => ({ path, truth: meant }));
      return examplesOf(
        office.jobs.map(({ target }) => target),
        folders,
      );
    });
};

const generated = TRAINED.flatMap(([count, countries], at) => {
  const world = createWorld(`fitted-${at}`, count, countries);
  return examplesOf(
    world.jobs.map(({ target }) => target),
    createFolders(`fitted-${at}`, FOLDERS, world),
  );
});
const [, , data] = process.argv;
const examples = data === undefined ? generated : [...generated, ...realExamples(data)];
process.stderr.write(`${examples.length} folders with candidates\n`);

const start = Float64Array.from(features, (feature) => WEIGHTS[feature]);
const weights = start.slice();
const [mean, square] = [new Float64Array(features.length), new Float64Array(features.length)];
for (let round = 1; round <= ROUNDS; round += 1) {
  const slope = new Float64Array(features.length);
  let loss = 0;
  for (const { candidates, truth } of examples) {
    const odds = candidates.map((active) =>
      Math.exp(
        Math.min(
          40,
          active.reduce((sum, at) => sum + (weights[at] ?? 0), 0),
        ),
      ),
    );
    const all = odds.reduce((sum, one) => sum + one, 1);
    loss -= Math.log((truth < 0 ? 1 : (odds[truth] ?? 0)) / all);
    for (const [at, active] of candidates.entries()) {
      const off = (odds[at] ?? 0) / all - (at === truth ? 1 : 0);
      for (const feature of active) slope[feature] = (slope[feature] ?? 0) + off;
    }
  }
  for (let at = 0; at < weights.length; at += 1) {
    const value = (weights[at] ?? 0) - (start[at] ?? 0);
    const step = (slope[at] ?? 0) / examples.length + PULL * value;
    mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * step;
    square[at] = 0.999 * (square[at] ?? 0) + 0.001 * step * step;
    const [m, s] = [(mean[at] ?? 0) / (1 - 0.9 ** round), (square[at] ?? 0) / (1 - 0.999 ** round)];
    const next = (weights[at] ?? 0) - (RATE * m) / (Math.sqrt(s) + 1e-8);
    // These features say that a word of the name agrees with the assignment, so they never count against the
    // assignment.
    weights[at] = EXPLAINED.test(features[at] ?? '') ? Math.max(0, next) : next;
  }
  if (round % 50 === 0) process.stderr.write(`${round}: ${(loss / examples.length).toFixed(5)}\n`);
}

const set = (feature: Feature, value: number): void => {
  weights[numberOf.get(feature) ?? 0] = value;
};
set('unit-missing', Math.min(MOST_WITHOUT_FLAT, weights[numberOf.get('unit-missing') ?? 0] ?? 0));
set('confirmed', CONFIRMED - (weights[numberOf.get('bias') ?? 0] ?? 0));

const file = fileURLToPath(new URL('../../src/main/matching/certainty.ts', import.meta.url));
const lines = features.map(
  (feature, at) => `  ${/-/.test(feature) ? `'${feature}'` : feature}: ${Number((weights[at] ?? 0).toFixed(2))},`,
);
writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<=WEIGHTS = \{\n)[^}]*(?=\n\})/, lines.join('\n')));
