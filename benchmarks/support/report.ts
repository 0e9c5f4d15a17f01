/** The results of the benchmarks as a Markdown table. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CaseResult, Figure } from './measure.ts';

export type Report = {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly rounds: number;
  readonly quick: boolean;
  readonly cases: readonly CaseResult[];
};

/** The report as a Markdown table. */
export const tableOf = ({ date, machine, node, rounds, quick, cases }: Report): string =>
  [
    `${date.slice(0, 10)}, ${machine}, Node ${node}, median of ${rounds}${quick ? ', quick: not to be kept' : ''}`,
    '',
    '| case | what | median | rounds | to reach | |',
    '|---|---|---:|---|---:|---|',
    ...cases.flatMap(({ title, figures }) => figures.map((figure, index) => row(index === 0 ? title : '', figure))),
  ].join('\n');

const row = (title: string, { what, value, unit, samples, atMost }: Figure): string => {
  const all = samples && samples.length > 1 ? samples.map((sample) => shown(sample, unit)).join(' ') : '';
  const goal = atMost === undefined ? '' : `≤ ${atMost} ${unit}`;
  const verdict = atMost === undefined ? '' : value <= atMost ? 'met' : 'missed';
  return `| ${[title, what, `${shown(value, unit)} ${unit}`, all, goal, verdict].join(' | ')} |`;
};

const shown = (value: number, unit: Figure['unit']): string =>
  value.toFixed(unit === 's' || unit === '×' ? 2 : unit === 'MB' ? 0 : 1);

const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const PLACE = /(?<=<!-- bench -->\n).*(?=<!-- \/bench -->)/s;

/** Puts the table into docs/performance.md in place of the one before. */
export const record = (report: Report): void => {
  const text = readFileSync(page, 'utf8');
  if (!PLACE.test(text)) throw new Error('docs/performance.md has no place for the table');
  writeFileSync(
    page,
    text.replace(PLACE, () => `${tableOf(report)}\n`),
  );
};
