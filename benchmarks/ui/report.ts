/** Formats the figures and their goals for docs/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';

export type Measure = {
  readonly what: string;
  readonly goal: string;
  /** The figure that is compared with the goal. */
  readonly value: number;
  readonly unit: 'ms' | 'MB' | 'a second';
  readonly met: boolean;
  readonly details: Readonly<Record<string, number>>;
};

export type Report = {
  readonly date: string;
  readonly machine: string;
  readonly electron: string;
  readonly protocols: number;
  readonly files: number;
  readonly measures: readonly Measure[];
};

/** Describes this machine in one line. */
export const describeMachine = (): string => {
  const all = cpus();
  const memoryGiB = Math.round(totalmem() / 1024 ** 3);
  return `${all.length} × ${all[0]?.model.trim()}, ${memoryGiB} GiB, ${process.platform} ${release()}`;
};

const figure = ({ value, unit }: Measure): string => `${value.toLocaleString('en')} ${unit}`;

export const toMarkdown = ({ date, machine, electron, protocols, files, measures }: Report): string =>
  [
    `${date}, ${machine}, Electron ${electron}, ${protocols.toLocaleString('en')} cached protocols, an upload of ${files.toLocaleString('en')} files:`,
    '',
    '| what | goal | measured | |',
    '|---|---|---|---|',
    ...measures.map(
      (measure) => `| ${measure.what} | ${measure.goal} | ${figure(measure)} | ${measure.met ? 'met' : 'missed'} |`,
    ),
  ].join('\n');

const begin = '<!-- bench:ui -->';
const end = '<!-- /bench:ui -->';

/** Replaces the table between the marks in the page. Throws if the page has no marks. */
export const writeReport = (path: URL, report: Report): void => {
  const page = readFileSync(path, 'utf8');
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${path.pathname} has no place for the table`);
  writeFileSync(path, `${page.slice(0, from + begin.length)}\n${toMarkdown(report)}\n${page.slice(to)}`);
};
