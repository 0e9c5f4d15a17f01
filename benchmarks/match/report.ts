/** Writes the results as Markdown, and puts them into docs/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Bin, Quality } from './measure.ts';
import type { Speed } from './speed.ts';

type Results = {
  readonly quality: Quality;
  readonly reliability: { readonly bins: readonly Bin[]; readonly error: number };
  readonly byKind: readonly (readonly [string, Quality])[];
  readonly byCountry: readonly (readonly [string, Quality])[];
  readonly baselines: readonly (readonly [string, Quality])[];
  readonly speed: Speed;
};

const percent = (value: number): string => `${(value * 100).toFixed(value > 0.99 && value < 1 ? 2 : 1)} %`;
const number = (value: number): string => value.toLocaleString('en');

const HEAD = [
  '| | folders | sent | wrong | precision | recall | asked | foreign sent |',
  '|---|---:|---:|---:|---:|---:|---:|---:|',
];
const row = ([name, quality]: readonly [string, Quality]): string => {
  const { folders, sent, wrong, precision, recall, determinable, asked, foreignSent } = quality;
  const cells = [
    number(folders),
    number(sent),
    number(wrong),
    sent === 0 ? '' : percent(precision),
    determinable === 0 ? '' : percent(recall),
    percent(asked),
  ];
  return `| ${[name, ...cells, percent(foreignSent)].join(' | ')} |`;
};

const verdict = (isMet: boolean): string => (isMet ? 'met' : 'missed');

export const reportOf = ({ quality, reliability, byKind, byCountry, baselines, speed }: Results): string =>
  [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}:`,
    '',
    '| | to reach | measured | |',
    '|---|---:|---:|---|',
    `| precision | ≥ 99.5 % | ${percent(quality.precision)} | ${verdict(quality.precision >= 0.995)} |`,
    `| recall | ≥ 90 % | ${percent(quality.recall)} | ${verdict(quality.recall >= 0.9)} |`,
    `| index of ${number(speed.targets)} assignments | ≤ 3 s | ${speed.indexS.toFixed(2)} s (processor: ${speed.indexCpuS.toFixed(2)} s) | ${verdict(speed.indexS <= 3)} |`,
    `| memory of the index | ≤ 200 MB | ${speed.indexMb.toFixed(0)} MB | ${verdict(speed.indexMb <= 200)} |`,
    `| ${number(speed.folders)} folders | ≤ 2 s | ${speed.matchS.toFixed(2)} s (processor: ${speed.matchCpuS.toFixed(2)} s) | ${verdict(speed.matchS <= 2)} |`,
    '',
    ...HEAD,
    row(['Inspection Desk', quality]),
    ...baselines.map(row),
    '',
    'Certainty and truth:',
    '',
    '| certainty | folders | mean certainty | right |',
    '|---|---:|---:|---:|',
    ...reliability.bins.map(
      ({ from, to, count, mean, observed }) =>
        `| ${from.toFixed(1)}–${to.toFixed(1)} | ${number(count)} | ${count === 0 ? '' : percent(mean)} | ${count === 0 ? '' : percent(observed)} |`,
    ),
    '',
    `Expected calibration error: ${percent(reliability.error)}`,
    '',
    'By what was done to the name:',
    '',
    ...HEAD,
    ...byKind.map(row),
    '',
    'By country:',
    '',
    ...HEAD,
    ...byCountry.map(row),
  ].join('\n');

const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const PLACE = /(?<=<!-- bench:match -->\n).*(?=<!-- \/bench:match -->)/s;

/** Replaces the earlier report in docs/performance.md. */
export const record = (report: string): void => {
  const text = readFileSync(page, 'utf8');
  if (!PLACE.test(text)) throw new Error('docs/performance.md has no place for the tables');
  writeFileSync(
    page,
    text.replace(PLACE, () => `${report}\n`),
  );
};
