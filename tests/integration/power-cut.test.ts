/**
 * The power is cut during a session of the app, or a system call fails. Everything that the app had promised holds
 * afterwards, and each file arrives exactly once.
 */
import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { type FailureResult, runFailures } from '../power-cut/failing-calls.ts';
import { type CutResult, cutPower, type Recording, recordSession } from '../power-cut/run.ts';
import { operationsIn } from '../power-cut/system-calls.ts';

const hasStrace = spawnSync('strace', ['-V']).status === 0;
const hasCompiler = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;

let recording: Promise<Recording> | undefined;
afterAll(async () => (await recording)?.remove());

/** Opens the app after each of `states` power cuts of one session. `npm run power-cut` tries any number of cuts. */
const cut = async (states: number, lies = false) => {
  recording ??= recordSession();
  const results: CutResult[] = [];
  const possible = await cutPower(await recording, { seed: 1, states, lies }, (result) => results.push(result));
  return { possible, opened: results.length, wrong: results.filter(({ problems }) => problems.length > 0) };
};

test("a descriptor is a file's until it is closed, also while another file is being opened", () => {
  const hex = (text: string): string => Buffer.from(text).toString('hex').replaceAll(/../g, String.raw`\x$&`);
  const home = hex('/home/file');
  const log = [
    `11  openat(AT_FDCWD<${hex('/')}>, "${home}", O_WRONLY|O_CREAT, 0600) = 7<${home}>`,
    `12  openat(AT_FDCWD<${hex('/')}>, "${hex('/proc/uptime')}", O_RDONLY <unfinished ...>`,
    `11  write(7<${home}>, "${hex('kept')}", 4) = 4`,
    `12  <... openat resumed>) = 7<${hex('/proc/uptime')}>`,
  ].join('\n');
  expect(operationsIn(log, ['/home'])).toMatchObject([
    { type: 'name', path: '/home/file', inode: 1 },
    { type: 'data', inode: 1, change: { from: 0, bytes: Buffer.from('kept') } },
  ]);
});

test.skipIf(!hasStrace)(
  'what was promised holds after a power cut at any system call, whatever was not flushed',
  async () => {
    const { possible, opened, wrong } = await cut(16);
    expect({ opened, wrong }).toEqual({ opened: 16, wrong: [] });
    expect(possible).toBeGreaterThan(1_000);
  },
);

test.skipIf(!hasStrace)('a disk that confirms what it does not keep is noticed', async () => {
  const { wrong } = await cut(8, true);
  expect(wrong.length).toBeGreaterThan(1);
});

test.skipIf(!hasCompiler)(
  'what was promised holds after a system call that failed, and the app says no more than that it could not write',
  async () => {
    const results: FailureResult[] = [];
    const possible = await runFailures({ seed: 1, wanted: 6 }, (result) => results.push(result));
    expect(results.filter(({ problems }) => problems.length > 0)).toEqual([]);
    expect(results.filter(({ happened }) => happened).length).toBeGreaterThan(3);
    expect(results.some(({ said }) => said.length > 0)).toBe(true);
    expect(possible).toBeGreaterThan(1_000);
  },
);
