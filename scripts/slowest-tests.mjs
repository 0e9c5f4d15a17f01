// @ts-check
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** @typedef {{ readonly name: string, readonly durationMs: number }} Duration */

/**
 * Reads the report at `path`; undefined if the run ended before it wrote one.
 * @param {string} path
 */
const readReport = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Returns the tests in a report of Vitest's JSON reporter.
 * @param {string} path
 * @returns {readonly Duration[]}
 */
export const vitestDurations = (path) => {
  /** @type {import('vitest/node').JsonTestResults | undefined} */
  const report = readReport(path);
  return (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      name: `${relative('', name)}: ${fullName}`,
      durationMs: duration ?? 0,
    })),
  );
};

/** @param {import('@playwright/test/reporter').JSONReportSuite} suite @returns {readonly Duration[]} */
const within = ({ suites = [], specs }) => [
  ...suites.flatMap(within),
  ...specs.flatMap(({ file, title, tests }) =>
    tests.map(({ projectName, results }) => ({
      name: `${projectName}, ${file}: ${title}`,
      durationMs: results.reduce((sum, { duration }) => sum + duration, 0),
    })),
  ),
];

/**
 * Returns the tests in a report of Playwright's JSON reporter.
 * @param {string} path
 * @returns {readonly Duration[]}
 */
export const playwrightDurations = (path) => {
  /** @type {import('@playwright/test/reporter').JSONReport | undefined} */
  const report = readReport(path);
  return (report?.suites ?? []).flatMap(within);
};

/**
 * Lists the ten slowest of `tests`, one per line.
 * @param {readonly Duration[]} tests
 */
export const slowestTests = (tests) =>
  tests
    .toSorted((a, b) => b.durationMs - a.durationMs)
    .slice(0, 10)
    .map(({ name, durationMs }) => `${(durationMs / 1000).toFixed(1).padStart(7)} s  ${name}`)
    .join('\n');
