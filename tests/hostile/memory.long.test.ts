/**
 * The maximum memory that a service can make the app use, measured as the resident size of the command line, and of a
 * desk as in the main process, each in a separate process. The longest time for which a desk is blocked is only
 * printed, because it depends on the machine.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { spawnCli } from '../integration/support/cli.ts';
import { makeDirectory } from '../integration/support/folders.ts';
import { endlessly, followed, streams } from './support/attacks.ts';
import { useHostileService } from './support/hostile-service.ts';
import { assignment, pageOf, point, protocol, smallItems } from './support/large-lists.ts';

const service = useHostileService();
const MOST_MIB = 400;

const here = (file: string): string => fileURLToPath(new URL(`./support/${file}`, import.meta.url));
const Measured = z.object({ peakMiB: z.number() });
const Called = z.object({ name: z.string(), code: z.string(), longestBlockMs: z.number() });

/**
 * Returns the environment that makes a process write its maximum memory to a file in `home`, and a function that reads
 * that file.
 */
const measuring = (home: string) => {
  const file = join(home, 'measured.json');
  return {
    env: { MEASURED: file, NODE_OPTIONS: `--import=${here('measure-process.ts')}` },
    peakMiB: () => Measured.parse(JSON.parse(readFileSync(file, 'utf8'))).peakMiB,
  };
};

const report = (what: string, figures: object): void =>
  void process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);

/** Runs a command with the hostile service. */
const measuredCli = async (args: readonly string[]) => {
  const home = makeDirectory();
  const { env, peakMiB } = measuring(home);
  const { exitCode, stderr } = await spawnCli(args, { sandbox: service.address, home, env });
  return { exitCode, stderr, peakMiB: peakMiB() };
};

/** Makes these calls to a desk, one after another. */
const measuredDesk = async (calls: readonly (readonly [name: string, input: object])[]) => {
  const home = makeDirectory();
  const { env, peakMiB } = measuring(home);
  const child = spawn(process.execPath, [here('attacked-desk.ts'), home, JSON.stringify(service.address)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, ...env },
  });
  for (const call of calls) child.stdin.write(`${JSON.stringify(call)}\n`);
  child.stdin.end();
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const called = output
    .trim()
    .split('\n')
    .map((line) => Called.parse(JSON.parse(line)));
  return { called, peakMiB: peakMiB() };
};

test('A10: neither 60 MB of small items nor an endless list fills the memory', async () => {
  service.attack('list-orderable-events', smallItems);
  service.attack(
    'list-inspection-points',
    streams(() => endlessly(`[${' '.repeat(50_000)}`)),
  );
  const cli = await measuredCli(['events']);
  report('events, 60 MB of {}', cli);
  expect(cli).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('service/too-large') });
  expect(cli.peakMiB).toBeLessThanOrEqual(MOST_MIB);

  const desk = await measuredDesk([
    ['orderableEvents.list', {}],
    ['protocols.inspectionPoints', { InspectionProtocolId: 'P1' }],
  ]);
  report('desk, small items and a list without an end', desk);
  expect(desk.called.map(({ code }) => code)).toEqual(['service/too-large', 'service/too-large']);
  expect(desk.peakMiB).toBeLessThanOrEqual(MOST_MIB);
});

test('A10: protocols --all ends within its limits on an endless list', async () => {
  const size = 1_000;
  service.attack('list-protocols', (met) => {
    const page = Number(new URL(`http://x${met.request.url}`).searchParams.get('Page') ?? 1);
    return streams(() => pageOf(protocol, page * size, size, 10_000_000, page))(met);
  });
  const cli = await measuredCli(['protocols', '--all']);
  report('protocols --all, pages without an end', { ...cli, stderr: undefined });
  expect(cli).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('service/endless') });
  expect(cli.peakMiB).toBeLessThanOrEqual(MOST_MIB);
});

test('A10: reads, stores and shows the largest lists allowed', async () => {
  const most = 50_000;
  service.attack(
    'list-protocols',
    streams(() => pageOf(protocol, 0, most, most, 1)),
  );
  service.attack(
    'list-project-assignments',
    streams(() => pageOf(assignment, 0, most, most, 1)),
  );
  const protocols = await measuredDesk([
    ['protocols.list', {}],
    ['protocols.table', {}],
  ]);
  report('desk, 50,000 protocols on one page', protocols);
  const projects = await measuredDesk([['assignments.projects', {}]]);
  report('desk, 50,000 assignments', projects);
  service.attack(
    'list-inspection-points',
    streams(() =>
      followed(`[${JSON.stringify(point(0))}`, [
        ...Array.from({ length: 29_999 }, (_, n) => `,${JSON.stringify(point(n + 1))}`),
        ']',
      ]),
    ),
  );
  const points = await measuredDesk([['protocols.inspectionPoints', { InspectionProtocolId: 'P1' }]]);
  report('desk, 30,000 inspection points', points);
  expect([...protocols.called, ...projects.called, ...points.called].map(({ code }) => code)).toEqual([
    'ok',
    'ok',
    'ok',
    'ok',
  ]);
  expect(Math.max(protocols.peakMiB, projects.peakMiB, points.peakMiB)).toBeLessThanOrEqual(MOST_MIB);
});
