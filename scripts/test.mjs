// @ts-check
/**
 * `npm test`: runs the unit and integration tests (Vitest), then the end-to-end tests (Playwright). Both always run.
 * Their summaries and the slowest tests are printed at the end. Without a display, the desktop is tested on an Xvfb, if
 * one is installed.
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
import { stripVTControlCharacters } from 'node:util';
import { bundleCli } from './bundle-cli.mjs';
import { onDisplay } from './on-display.mjs';
import { playwrightDurations, slowestTests, vitestDurations } from './slowest-tests.mjs';

const require = createRequire(import.meta.url);

/**
 * Returns the path of the script of a package's command.
 * @param {string} name
 * @param {string} file
 */
const command = (name, file) => join(dirname(require.resolve(`${name}/package.json`)), file);

/** What Vitest and Playwright print at the end of a run, and what they print if tests failed. */
const LAST_WORDS = /JSON report written|^ {2}\d+ passed/m;
const FAILURES = /⎯+ (?:Failed|Unhandled)|^ {2}\d+ (?:failed|interrupted)/m;

/** The time that a run is given to end its processes after its last words. */
const LAST_MS = 60_000;

/**
 * How long the output of a run is read after its process has ended. A process that the run left behind keeps the output
 * open.
 */
const REST_MS = 2_000;

/**
 * Runs a command, shows its output, and resolves to the output without colours. Kills a command that does not end after
 * its last words: Vitest waits for processes that a failed test left behind, and in rare cases a Node process never
 * ends (nodejs/node#54918).
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
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
    // Writes whole lines, because other runs write in between.
    createInterface({ input: stream }).on('line', (line) => {
      const plain = stripVTControlCharacters(line);
      output += `${plain}\n`;
      process.stdout.write(`${line}\n`);
      if (LAST_WORDS.test(plain)) overdue ??= setTimeout(end, LAST_MS);
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
const building = run([node, fileURLToPath(new URL('build.mjs', import.meta.url))]);
/**
 * The integration tests start workers and processes from this bundle, which Node compiles only once for all of them.
 */
process.env.INSPECTION_DESK_TEST_BUNDLE = await bundleCli();
/**
 * These runs are parallel, because each of the first three keeps one process busy, while most tests of the last one
 * wait.
 */
const vitestRuns = [['unit'], ['window'], ['together'], ['integration', 'hostile']].map(async (projects) => {
  const report = join(reports, `${projects[0]}.json`);
  const result = await run([
    ...[node, command('vitest', 'vitest.mjs'), 'run', ...projects.flatMap((name) => ['--project', name])],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  ]);
  return { ...result, title: projects.join(' and '), durations: vitestDurations(report) };
});

// The end-to-end tests begin once the first three runs have ended, because the last one leaves processor time.
await Promise.all(vitestRuns.slice(0, 3));
const built = await building;
const playwright =
  built.status === 0
    ? await run([...onDisplay(), node, command('@playwright/test', 'cli.js'), 'test', '--reporter=list,json'], {
        PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
        // Playwright's workers have FORCE_COLOR, and Node warns about each process that has both variables.
        NO_COLOR: undefined,
      })
    : { ...built, output: 'the build failed' };
const vitest = await Promise.all(vitestRuns);

/**
 * Returns the output from the first failure on or, without failures, from the totals on. The failures are included,
 * because an error outside of any test is reported nowhere else.
 * @param {string} output
 */
const summaryOf = (output) =>
  /(?:⎯+ (?:Failed|Unhandled)| Test Files).*/s.exec(output)?.[0].trimEnd() ?? 'no summary: the run broke off';
const vitestSummaries = vitest.map(
  ({ title, minutes, output }) => `Vitest: ${title}, ${minutes} minutes\n${summaryOf(output)}`,
);
/** The totals. Playwright names the failed and the flaky tests below them. */
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
