/**
 * Measures the speed of uploads, compared with other programs that send the same files. README.md describes the cases.
 *
 *     npm run bench -- [--case NAME]... [--rounds N] [--quick] [--json] [--record]
 */
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { faults } from './cases/faults.ts';
import { largeFiles } from './cases/large-files.ts';
import { limit } from './cases/limit.ts';
import { lineCase } from './cases/line.ts';
import { million } from './cases/million.ts';
import { neighbours } from './cases/neighbours.ts';
import { planning } from './cases/planning.ts';
import { resume } from './cases/resume.ts';
import { slowService } from './cases/slow-service.ts';
import { smallFiles } from './cases/small-files.ts';
import { start } from './cases/start.ts';
import type { CaseResult } from './support/measure.ts';
import { type Made, record, tableOf } from './support/report.ts';

const CASES = {
  'small-files': smallFiles,
  'large-files': largeFiles,
  planning,
  million,
  faults,
  limit,
  resume,
  start,
  'slow-service': slowService,
  'line-a': lineCase('a'),
  'line-b': lineCase('b'),
  'line-c': lineCase('c'),
  'line-d': lineCase('d'),
  'line-e': lineCase('e'),
  'line-tls': lineCase('tls'),
  'line-wifi': lineCase('wifi'),
  'line-neighbours': neighbours,
} as const;
const names = Object.keys(CASES) as (keyof typeof CASES)[];

const { values } = parseArgs({
  options: {
    case: { type: 'string', multiple: true, default: names },
    rounds: { type: 'string', default: '5' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
/** Whether `name` chooses the case `known`. `line` chooses all cases whose names begin with `line-`. */
const isChosen = (known: string, name: string): boolean => known === name || known.startsWith(`${name}-`);
const unknown = values.case.find((name) => !names.some((known) => isChosen(known, name)));
if (unknown !== undefined) throw new Error(`no such case: ${unknown}; there are: ${names.join(', ')}`);
if (values.record && values.quick) throw new Error('--quick measures nothing that can be recorded');
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number above 0');

// Everything that was started is stopped and removed only when the process exits, so a signal makes it exit.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));

const made: Made = {
  date: new Date().toISOString(),
  machine: `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 1024 ** 3)} GiB`,
  node: process.version,
  quick: values.quick,
};
const cases: CaseResult[] = [];
for (const name of names.filter((known) => values.case.some((name) => isChosen(known, name)))) {
  process.stderr.write(`${name} …\n`);
  const result = await CASES[name]({ rounds, quick: values.quick });
  cases.push(result);
  if (!values.json) process.stdout.write(`${tableOf(result, made)}\n\n`);
  if (values.record) record(result, made);
}
if (values.json) process.stdout.write(`${JSON.stringify({ ...made, cases }, undefined, 2)}\n`);
