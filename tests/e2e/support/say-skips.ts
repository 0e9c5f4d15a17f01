import { problemOf } from './hosts-here.ts';

/** Prints which tests will be skipped, and why. */
const saySkips = (): void => {
  for (const host of ['electron', 'preview'] as const) {
    const problem = problemOf(host);
    if (problem !== undefined) process.stdout.write(`The tests on ${host} are skipped: ${problem}.\n`);
  }
};

// biome-ignore lint/style/noDefaultExport: Playwright calls a setup file's default export.
export default saySkips;
