/**
 * Measures matching on real addresses of many countries. benchmarks/README.md explains the figures.
 *
 *     npm run bench:match:real [-- --half fitted|judged] [--country cc] [--folders 500] [--assignments 2500] [--seed 1]
 *                                 [--wrong] [--missed] [--names] [--reveal] [--data directory]
 *
 * `--wrong`, `--missed` and `--names` list folders. They list those of the judged countries only with `--reveal`,
 * because matching must not be adjusted to them.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createMatchIndex } from '../../../src/main/matching/match-index.ts';
import { type Judged, qualityOf, reliabilityOf } from '../measure.ts';
import { HALVES } from './conventions.ts';
import { createFolders, type RealFolder } from './folders.ts';
import { countriesIn, createOffice } from './office.ts';

const { values } = parseArgs({
  options: {
    half: { type: 'string' },
    country: { type: 'string', multiple: true },
    folders: { type: 'string', default: '500' },
    assignments: { type: 'string', default: '2500' },
    seed: { type: 'string', default: '1' },
    data: { type: 'string' },
    wrong: { type: 'boolean', default: false },
    missed: { type: 'boolean', default: false },
    names: { type: 'boolean', default: false },
    reveal: { type: 'boolean', default: false },
  },
});

type Result = Judged & { readonly folder: RealFolder; readonly chosen: string; readonly meant: string };

const write = (text: string): void => void process.stdout.write(`${text}\n`);
const directory =
  values.data === undefined ? new URL('data/', import.meta.url) : pathToFileURL(`${resolve(values.data)}/`);
const withData = countriesIn(directory);
if (withData.length === 0) write(`No addresses in ${directory.pathname}`);
const isWanted = (country: string, half: string): boolean =>
  withData.includes(country) && (values.half ?? half) === half && (values.country ?? [country]).includes(country);

const resultsOf = (country: string): readonly Result[] => {
  const office = createOffice(values.seed, country, Number(values.assignments), directory);
  const index = createMatchIndex(office.jobs.map(({ target }) => target));
  const byId = new Map(office.jobs.map(({ target }) => [target.AssignmentId, target]));
  const told = (id: string | undefined): string => {
    const target = byId.get(id ?? '');
    return target
      ? [target.Address, [target.ZipCode, target.City].filter(Boolean).join(' '), target.LastName].join(' · ')
      : '–';
  };
  return createFolders(values.seed, Number(values.folders), office).map((folder) => {
    const { decision, candidates } = index.match({ path: folder.path });
    const [best] = candidates;
    return {
      folder,
      decision,
      best: best?.AssignmentId,
      certainty: best?.certainty ?? 0,
      chosen: told(best?.AssignmentId),
      meant: told(folder.meant),
    };
  });
};

const percent = (value: number): string => `${(value * 100).toFixed(value > 0.99 && value < 1 ? 2 : 1)} %`;
/** The 95 % confidence interval of a share (Wilson), as text. */
const interval = (part: number, whole: number): string => {
  if (whole === 0) return '';
  const [p, z] = [part / whole, 1.96];
  const middle = p + (z * z) / (2 * whole);
  const spread = z * Math.sqrt((p * (1 - p)) / whole + (z * z) / (4 * whole * whole));
  const [low, high] = [middle - spread, middle + spread].map((one) =>
    percent(Math.min(1, Math.max(0, one / (1 + (z * z) / whole)))),
  );
  return `${low} to ${high}`;
};

const HEAD = [
  '| | folders | sent | wrong | precision | 95 % interval | recall | foreign sent | several fit, sent | asked | calibration error |',
  '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
];
const row = (name: string, results: readonly Result[], isWhole = true): string => {
  const { sent, wrong, precision, recall, determinable, asked } = qualityOf(results);
  const sentOf = (outcome: string): string => {
    const group = results.filter(({ folder }) => folder.outcome === outcome);
    return group.length === 0 ? '' : percent(group.filter(({ decision }) => decision === 'send').length / group.length);
  };
  // If several assignments fit, only the one that the name was made from counts as right for the calibration: of two
  // that fit, each has a certainty of one half, and is right for half of the folders.
  const meant = results.map((one) => ({ ...one, folder: { ...one.folder, truth: one.folder.meant } }));
  const cells = [
    ...[results.length, sent, wrong].map((one) => one.toLocaleString('en')),
    ...(sent === 0 ? ['', ''] : [percent(precision), interval(sent - wrong, sent)]),
    ...[determinable === 0 ? '' : percent(recall), sentOf('foreign'), sentOf('several'), percent(asked)],
    isWhole ? percent(reliabilityOf(meant).error) : '',
  ];
  return `| ${[name, ...cells].join(' | ')} |`;
};

const sample = (title: string, results: readonly Result[], count: number): void => {
  const step = Math.max(1, results.length / count);
  for (const [at, { folder, decision, certainty, chosen, meant }] of results.entries())
    if (Math.floor(at / step) !== Math.floor((at - 1) / step))
      write(
        `${title}  ${folder.country} ${certainty.toFixed(3)} ${decision}  ${folder.path}\n        chosen: ${chosen}\n        true:   ${folder.outcome === 'foreign' ? 'none' : meant}  [${folder.outcome}; ${folder.kinds.join(', ')}]`,
      );
};

for (const [half, all] of Object.entries(HALVES)) {
  const countries = all.filter((country) => isWanted(country, half));
  if (countries.length === 0) continue;
  const byCountry = countries.map((country) => [country, resultsOf(country)] as const);
  const results = byCountry.flatMap(([, some]) => some);
  const kinds = Map.groupBy(
    results.flatMap((one) => one.folder.kinds.map((kind) => ({ kind, one }))),
    ({ kind }) => kind,
  );
  write(`\n## ${half}: ${countries.length} of ${all.length} countries\n`);
  write([...HEAD, row('all', results), ...byCountry.map(([country, some]) => row(country, some))].join('\n'));
  write(
    [
      '\nBy what the name is like:\n',
      ...HEAD,
      ...[...kinds]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([kind, some]) =>
          row(
            kind,
            some.map(({ one }) => one),
            false,
          ),
        ),
    ].join('\n'),
  );
  if (!values.wrong && !values.missed && !values.names) continue;
  if (half === 'judged' && !values.reveal) {
    write('\nFolders of the judged countries are not listed: nothing may be adjusted to them.');
    continue;
  }
  if (values.wrong)
    sample(
      'wrong ',
      results.filter(({ folder, decision, best }) => decision === 'send' && best !== folder.truth),
      200,
    );
  if (values.missed)
    sample(
      'missed',
      results.filter(({ folder, decision }) => folder.isDeterminable && decision !== 'send'),
      120,
    );
  if (values.names) sample('name  ', results, 60);
}
