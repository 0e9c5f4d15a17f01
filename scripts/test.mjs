// @ts-check
/**
 * `npm test`: unit and integration tests (vitest), then end-to-end tests (Playwright). Both always run; the summaries
 * of both stand at the end. Where there is no display but an Xvfb, the desktop is tested on that.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from './build.mjs';
import { onDisplay } from './on-display.mjs';

const require = createRequire(import.meta.url);

/** The script of a package's command. @param {string} name @param {string} file */
const command = (name, file) => join(dirname(require.resolve(`${name}/package.json`)), file);

/** Runs a command, shows what it prints, and keeps it. @param {readonly string[]} args */
const run = async ([program = '', ...args]) => {
  let output = '';
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    process.stdout.write(text);
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { status: status ?? 1, output };
};

const node = process.execPath;
const vitest = await run([node, command('vitest', 'vitest.mjs'), 'run']);
const built = build();
const playwright =
  built === 0
    ? await run([...onDisplay(), node, command('@playwright/test', 'cli.js'), 'test'])
    : { status: built, output: 'the build failed' };

const summary = / Test Files.*/s.exec(vitest.output)?.[0].trimEnd() ?? 'no summary: the run broke off';
const endToEnd = playwright.output.split('\n').filter((line) => /^ {2}\d+ (passed|failed|skipped|flaky)/.test(line));
process.stdout.write(`\nUnit and integration\n${summary}\nEnd to end\n${endToEnd.join('\n')}\n`);
process.exitCode = vitest.status === 0 ? playwright.status : vitest.status;
