/** Writes the results of the benchmarks as Markdown. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CaseResult, Figure } from './measure.ts';

/** When and where a case was measured. */
export type Made = {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly quick: boolean;
};

/** Returns a case as a Markdown table, with the date and the machine, so that a case can be recorded alone. */
export const tableOf = ({ title, figures }: CaseResult, { date, machine, node, quick }: Made): string => {
  const rounds = Math.max(1, ...figures.map(({ samples }) => samples?.length ?? 0));
  const words = [date.slice(0, 10), machine, `Node ${node}`, ...(rounds > 1 ? [`median of ${rounds}`] : [])];
  return [
    `**${title}** (${[...words, ...(quick ? ['quick: not to be kept'] : [])].join(', ')})`,
    '',
    rounds > 1 ? '| what | median | from–to | goal | |' : '| what | measured | goal | |',
    rounds > 1 ? '|---|---:|---:|---:|---|' : '|---|---:|---:|---|',
    ...figures.map((figure) => row(figure, rounds > 1)),
  ].join('\n');
};

/** `hasSpread`: whether the table shows the lowest and the highest result of the rounds. */
const row = ({ what, value, unit, samples = [], atMost, atLeast }: Figure, hasSpread: boolean): string => {
  const spread = samples.length > 1 ? [Math.min, Math.max].map((of) => shown(of(...samples), unit)).join('–') : '';
  const goals = [
    ...(atMost === undefined ? [] : [{ words: `≤ ${atMost} ${unit}`, met: value <= atMost }]),
    ...(atLeast === undefined ? [] : [{ words: `≥ ${atLeast} ${unit}`, met: value >= atLeast }]),
  ];
  const verdict = goals.length === 0 ? '' : goals.every(({ met }) => met) ? 'met' : 'missed';
  const cells = [what, `${shown(value, unit)} ${unit}`, ...(hasSpread ? [spread] : [])];
  return `| ${[...cells, goals.map(({ words }) => words).join(', '), verdict].join(' | ')} |`;
};

const shown = (value: number, unit: Figure['unit']): string =>
  value.toFixed(unit === 's' || unit === '×' ? 2 : unit === 'MB' ? 0 : 1);

const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const END = '<!-- /bench -->';

/**
 * Puts the table of the case into docs/performance.md, in place of its earlier table. The tables of other cases stay.
 */
export const record = (one: CaseResult, made: Made): void => {
  const text = readFileSync(page, 'utf8');
  const [begin, end] = [`<!-- bench:${one.name} -->\n`, `<!-- /bench:${one.name} -->\n`];
  const table = `${begin}${tableOf(one, made)}\n${end}`;
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 && !text.includes(END)) throw new Error('docs/performance.md has no place for the table');
  const changed =
    from < 0 ? text.replace(END, () => `\n${table}${END}`) : text.slice(0, from) + table + text.slice(to + end.length);
  writeFileSync(page, changed);
};
