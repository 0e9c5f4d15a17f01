/** The batch file that provides the command `inspection-desk`. It passes arguments and the exit code on unchanged. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeDirectory } from '../support/folders.ts';
import { otherRuntime, seen } from '../support/runtime.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Installs the command next to a program below `folder`. Returns its path on Windows. */
const install = (folder: string): string => {
  const command = join(folder, 'bin', 'inspection-desk.cmd');
  const program = join(folder, 'Inspection Desk.exe');
  mkdirSync(dirname(command), { recursive: true });
  copyFileSync(at('../../../build/inspection-desk.cmd'), command);
  if (otherRuntime === undefined) copyFileSync(process.execPath, program);
  else symlinkSync(join(dirname(otherRuntime), 'node.exe'), program);
  return seen(command);
};

test.each(['plain', 'Program Files', 'Jens & Øster', "o'clock (x86)"])(
  'a folder named %s: arguments and exit code arrive as they are',
  async (name) => {
    const written = join(makeDirectory(), 'arguments.json');
    const stub = seen(at('./write-arguments.ts'));
    const given = 'upload "C:\\Two Words" "å ä ö" "a&b|c" "x^y" !bang! "c\\\\" --json "" "a ""q"" b" *.jpg';
    const line = `"${install(join(makeDirectory(), name))}" "${stub}" ${given}`;
    const child = spawn(otherRuntime ?? process.execPath, [at('./run-line.ts'), line], {
      stdio: 'ignore',
      // The batch file must not take a variable with this name for the exit code.
      env: { ...process.env, ARGUMENTS: seen(written), ERRORLEVEL: '77' },
    });
    expect(await once(child, 'exit')).toEqual([5, null]);
    expect(JSON.parse(readFileSync(written, 'utf8'))).toEqual([
      ...['upload', 'C:\\Two Words', 'å ä ö', 'a&b|c', 'x^y', '!bang!', 'c\\', '--json', '', 'a "q" b', '*.jpg'],
    ]);
  },
);
