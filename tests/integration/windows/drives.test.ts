/** A drive letter that disappears during an upload, as with a USB stick or a network share. */
import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { cli } from '../support/cli.ts';
import { makeDirectory, makeFolder, manyFiles } from '../support/folders.ts';
import { inPrefix, otherRuntime } from '../support/runtime.ts';
import { always, expectStored, silence, useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

/** Gives `folder` a free drive letter until the returned `unplug` is called, or the test has ended. */
const plugIn = (folder: string) => {
  const letters = inPrefix('dosdevices');
  const taken = new Set(readdirSync(letters));
  const drive = [...'qrstuvwxy'].map((letter) => `${letter}:`).find((name) => !taken.has(name));
  if (drive === undefined) throw new Error('no drive letter is free');
  const link = `${letters}/${drive}`;
  const plug = (): void => symlinkSync(folder, link);
  const unplug = (): void => rmSync(link, { force: true });
  plug();
  onTestFinished(unplug);
  return { root: `${drive.toUpperCase()}\\`, plug, unplug };
};

test.runIf(otherRuntime !== undefined)(
  'the upload pauses, no file fails, and it continues when the drive is back',
  async () => {
    const options = { sandbox: sandbox.address, home: makeDirectory() };
    const assignment = sandbox.newAssignment();
    const files = manyFiles(30);
    const { root, plug, unplug } = plugIn(makeFolder(files));
    // One file stalls while it is sent, so that the drive disappears before the other files are opened.
    await sandbox.control.faults.add(always('storage-put', silence, 'file-0003'));
    const upload = ['upload', root, '--assignment', assignment, '--concurrency', '1'];
    let isGone = false;
    const stopped = await cli(upload, options, ({ type }) => {
      if (type !== 'file' || isGone) return;
      isGone = true;
      unplug();
      void sandbox.control.faults.clear().then(() => sandbox.control.faults.release());
    });
    expect(stopped.exitCode, stopped.stderr).not.toBe(0);
    expect(stopped.lines.at(-1)).toMatchObject({ type: 'summary', failed: 0 });
    expect(stopped.lines.find(({ type }) => type === 'error')).toMatchObject({
      error: { code: 'upload/folder-missing' },
    });

    plug();
    const resumed = await cli(['uploads', 'resume'], options);
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    await expectStored(sandbox.control, assignment, files);
  },
);
