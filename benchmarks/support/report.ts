/** The results of the benchmarks as Markdown. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CaseResult, Figure } from './measure.ts';

export type Report = {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly quick: boolean;
  readonly cases: readonly CaseResult[];
};

/** The report as Markdown: a table a case. */
export const toMarkdown = (report: Report): string => report.cases.map((one) => tableOf(one, report)).join('\n\n');

/** Each table has its own date and machine, so that a case can be recorded alone. */
const tableOf = ({ title, figures }: CaseResult, { date, machine, node, quick }: Report): string => {
  const rounds = Math.max(1, ...figures.map(({ samples }) => samples?.length ?? 0));
  const made = [date.slice(0, 10), machine, `Node ${node}`, ...(rounds > 1 ? [`median of ${rounds}`] : [])];
  return [
    `**${title}** (${[...made, ...(quick ? ['quick: not to be kept'] : [])].join(', ')})`,
    '',
    '| what | median | rounds | to reach | |',
    '|---|---:|---|---:|---|',
    ...figures.map(row),
  ].join('\n');
};

const row = ({ what, value, unit, samples, atMost, atLeast }: Figure): string => {
  const all = samples && samples.length > 1 ? samples.map((sample) => shown(sample, unit)).join(' ') : '';
  const goals = [
    ...(atMost === undefined ? [] : [{ words: `≤ ${atMost} ${unit}`, met: value <= atMost }]),
    ...(atLeast === undefined ? [] : [{ words: `≥ ${atLeast} ${unit}`, met: value >= atLeast }]),
  ];
  const verdict = goals.length === 0 ? '' : goals.every(({ met }) => met) ? 'met' : 'missed';
  return `| ${[what, `${shown(value, unit)} ${unit}`, all, goals.map(({ words }) => words).join(', '), verdict].join(' | ')} |`;
};

const shown = (value: number, unit: Figure['unit']): string =>
  value.toFixed(unit === 's' || unit === '×' ? 2 : unit === 'MB' ? 0 : 1);

const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const END = '<!-- /bench -->';

/** Puts the cases' tables into docs/performance.md, each in place of the one before; those of other cases stay. */
export const record = (report: Report): void => {
  const text = readFileSync(page, 'utf8');
  if (!text.includes(END)) throw new Error('docs/performance.md has no place for the tables');
  writeFileSync(
    page,
    report.cases.reduce((before, one) => withTable(before, one, report), text),
  );
};

const withTable = (text: string, one: CaseResult, report: Report): string => {
  const [begin, end] = [`<!-- bench:${one.name} -->\n`, `<!-- /bench:${one.name} -->\n`];
  const table = `${begin}${tableOf(one, report)}\n${end}`;
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0) return text.replace(END, () => `\n${table}${END}`);
  return `${text.slice(0, from)}${table}${text.slice(to + end.length)}`;
};
