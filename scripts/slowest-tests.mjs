// @ts-check
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { z } from 'zod';

/** @typedef {{ readonly name: string, readonly durationMs: number }} Duration */

const VitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), duration: z.number().nullish() })),
    }),
  ),
});

const Spec = z.object({
  file: z.string(),
  title: z.string(),
  tests: z.array(z.object({ projectName: z.string(), results: z.array(z.object({ duration: z.number() })) })),
});
const Suite = z.object({
  specs: z.array(Spec).default([]),
  get suites() {
    return z.array(Suite).default([]);
  },
});

/**
 * Reads the report at `path`; undefined if the run ended before it wrote one.
 * @template T
 * @param {string} path
 * @param {z.ZodType<T>} schema
 */
const readReport = (path, schema) => {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
};

/**
 * Returns the tests in a report of Vitest's JSON reporter.
 * @param {string} path
 * @returns {readonly Duration[]}
 */
export const vitestDurations = (path) =>
  (readReport(path, VitestReport)?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      name: `${relative('', name)}: ${fullName}`,
      durationMs: duration ?? 0,
    })),
  );

/** @param {z.infer<typeof Suite>} suite @returns {readonly Duration[]} */
const within = ({ suites, specs }) => [
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
export const playwrightDurations = (path) => within(readReport(path, Suite) ?? { suites: [], specs: [] });

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
