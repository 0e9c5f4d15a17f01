/** Files that another program has opened exclusively. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { cli, ofType } from '../support/cli.ts';
import { makeDirectory, makeFolder } from '../support/folders.ts';
import { endProgram, otherRuntime, seen } from '../support/runtime.ts';
import { expectStored, useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
const files = { 'drawing.dwg': 'a drawing', 'report.docx': 'a report', 'z/photo.jpg': 'a photo' };

/** Makes another process hold the file. Resolves to a function that ends the process. */
const hold = async (path: string): Promise<() => Promise<void>> => {
  const program = fileURLToPath(new URL('./hold-file.ts', import.meta.url));
  const child = spawn(otherRuntime ?? process.execPath, [program, seen(path)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const release = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    if (otherRuntime === undefined) child.kill();
    else endProgram(child.pid ?? 0, program);
    await ended;
  };
  onTestFinished(release);
  const [said] = await Promise.race([once(child.stdout, 'data'), ended]);
  expect(String(said).trim()).toBe('held');
  return release;
};

test('a file that another program holds fails with its own reason, and is sent once it is released', async () => {
  const options = { sandbox: sandbox.address, home: makeDirectory() };
  const assignment = sandbox.newAssignment();
  const root = makeFolder(files);
  const release = await hold(join(root, 'report.docx'));
  const upload = await cli(['upload', root, '--assignment', assignment], options);
  expect(upload).toMatchObject({ exitCode: 1 });
  expect(upload.lines.at(-1)).toMatchObject({ uploaded: 2, failed: 1 });
  expect(ofType(upload, 'file').find(({ state }) => state === 'failed')).toMatchObject({
    path: 'report.docx',
    error: { code: 'upload/file-locked', details: { cause: 'EBUSY' } },
  });
  expect(upload.stderr).toContain('report.docx: The file is in use by another program.');

  await release();
  const retried = await cli(['uploads', 'retry'], options);
  expect(retried.exitCode, retried.stderr).toBe(0);
  await expectStored(sandbox.control, assignment, files);
});
