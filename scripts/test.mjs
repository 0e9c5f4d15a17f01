// @ts-check
/**
 * `npm test`: unit and integration tests (Vitest), then end-to-end tests (Playwright). Both always run; their summaries
 * and the slowest tests follow at the end. Without a display, the desktop is tested on an Xvfb where there is one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundleCli } from './bundle-cli.mjs';
import { onDisplay } from './on-display.mjs';
import { playwrightDurations, slowestTests, vitestDurations } from './slowest-tests.mjs';

const require = createRequire(import.meta.url);

/** The script of a package's command. @param {string} name @param {string} file */
const command = (name, file) => join(dirname(require.resolve(`${name}/package.json`)), file);

/** What Vitest and Playwright print at their end, and with failures. */
const LAST_WORDS = /JSON report written|^ {2}\d+ passed/m;
const FAILURES = /⎯+ (?:Failed|Unhandled)|^ {2}\d+ (?:failed|interrupted)/m;

/** How long a run may take to end its processes after that. */
const LAST_MS = 60_000;

/** How long its output is read once it has ended. A process that it has left behind keeps it open. */
const REST_MS = 2_000;

/**
 * Runs a command, shows all it prints, and returns that. One that does not end after its last words is killed: Vitest waits for
 * processes that a failed test has left behind, and Node in rare cases for itself (nodejs/node#54918). @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env]
 */
const run = async ([program = '', ...args], env = {}) => {
  let output = '';
  const startedMs = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  /** @type {NodeJS.Timeout | undefined} */
  let overdue;
  let isOverdue = false;
  const end = () => {
    isOverdue = true;
    child.kill('SIGKILL');
  };
  for (const stream of [child.stdout, child.stderr]) {
    // Whole lines, as other runs write theirs in between.
    createInterface({ input: stream }).on('line', (line) => {
      output += `${line}\n`;
      process.stdout.write(`${line}\n`);
      if (LAST_WORDS.test(line)) overdue ??= setTimeout(end, LAST_MS);
    });
  }
  const read = once(child, 'close');
  const [status] = await once(child, 'exit');
  clearTimeout(overdue);
  await Promise.race([read, sleep(REST_MS, undefined, { ref: false })]);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  const isFailed = isOverdue ? FAILURES.test(output) : status !== 0;
  return {
    status: isFailed ? (status ?? 1) : 0,
    output,
    minutes: ((performance.now() - startedMs) / 60_000).toFixed(1),
  };
};

const reports = mkdtempSync(join(tmpdir(), 'inspection-desk-tests-'));
const playwrightReport = join(reports, 'playwright.json');

const node = process.execPath;
/** What the end-to-end tests need is built meanwhile. */
const building = run([node, fileURLToPath(new URL('build.mjs', import.meta.url))]);
/** What the integration tests start as threads and processes: both runs use what one has compiled of it. */
process.env.INSPECTION_DESK_TEST_BUNDLE = await bundleCli();
/** Side by side: each of the first keeps one process busy, most of the others wait. */
const vitestRuns = [['unit'], ['window'], ['together'], ['integration', 'hostile']].map(async (projects) => {
  const report = join(reports, `${projects[0]}.json`);
  const result = await run([
    ...[node, command('vitest', 'vitest.mjs'), 'run', ...projects.flatMap((name) => ['--project', name])],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  ]);
  return { ...result, title: projects.join(' and '), durations: vitestDurations(report) };
});

// The last of the others leave time.
await Promise.all(vitestRuns.slice(0, 3));
const built = await building;
const playwright =
  built.status === 0
    ? await run([...onDisplay(), node, command('@playwright/test', 'cli.js'), 'test', '--reporter=list,json'], {
        PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
        // Its workers have FORCE_COLOR, and Node warns of each process that has both.
        NO_COLOR: undefined,
      })
    : { ...built, output: 'the build failed' };
const vitest = await Promise.all(vitestRuns);

/** From the failures on: an error outside of any test is told nowhere else. @param {string} output */
const summaryOf = (output) =>
  /(?:⎯+ (?:Failed|Unhandled)| Test Files).*/s.exec(output)?.[0].trimEnd() ?? 'no summary: the run broke off';
const vitestSummaries = vitest.map(
  ({ title, minutes, output }) => `Vitest: ${title}, ${minutes} minutes\n${summaryOf(output)}`,
);
/** The totals, below each of which Playwright names the tests that failed or were flaky. */
const endToEnd = /^ {2}\d+ (?:failed|flaky|skipped|passed).*/ms.exec(playwright.output)?.[0].trimEnd();
process.stdout.write(`
Slowest tests
${slowestTests([...vitest.flatMap(({ durations }) => durations), ...playwrightDurations(playwrightReport)])}

${vitestSummaries.join('\n')}
End to end, ${playwright.minutes} minutes
${endToEnd ?? playwright.output}
`);
rmSync(reports, { recursive: true });
process.exitCode = [...vitest, playwright].find(({ status }) => status !== 0)?.status ?? 0;
