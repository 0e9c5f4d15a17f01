import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { createStartSample } from './sample-service.ts';

type SampleProcess = ReturnType<Parameters<typeof createStartSample>[0]>;

const address = {
  port: 4100,
  baseUrl: 'http://127.0.0.1:4100',
  authUrl: 'http://127.0.0.1:4100/oauth',
  clientId: 'inspection-desk',
};
const listening = JSON.stringify({ type: 'listening', ...address, controlToken: 'secret' });

/** Creates a process that prints `line`, and runs until it is stopped. Without `line`, it ends immediately. */
const playProcess = (line: string | undefined): SampleProcess & { readonly stop: ReturnType<typeof vi.fn> } => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  if (line === undefined) resolve();
  const stdout = line === undefined ? Readable.from([]) : Readable.from([`${line}\n`]);
  return { stdout, ended, stop: vi.fn(() => resolve()) };
};

test('returns the address of the sandbox and none of its other output', async () => {
  const start = vi.fn(() => playProcess(listening));
  const { ended: _, close, ...sample } = await createStartSample(start)('/data/sample', 4100);
  expect(sample).toEqual(address);
  const flags = ['--state', '/data/sample', '--discard-content', '--dates', 'today', '--port', '4100'];
  expect(start).toHaveBeenCalledWith(flags);
  await close();
});

test('stops the process and waits for its end', async () => {
  const process = playProcess(listening);
  const { close } = await createStartSample(() => process)('/data/sample', undefined);
  expect(process.stop).not.toHaveBeenCalled();
  await close();
  expect(process.stop).toHaveBeenCalledOnce();
});

test('uses any free port if the requested one is in use', async () => {
  const start = vi.fn<(flags: readonly string[]) => SampleProcess>();
  start.mockReturnValueOnce(playProcess(undefined)).mockReturnValueOnce(playProcess(listening));
  await createStartSample(start)('/data/sample', 80);
  expect(start.mock.calls.map(([flags]) => flags.at(-1))).toEqual(['80', '0']);
});

test('stops a process that prints something else', async () => {
  const process = playProcess('not JSON');
  await expect(createStartSample(() => process)('/data/sample', undefined)).rejects.toThrow();
  expect(process.stop).toHaveBeenCalledOnce();
});

test.each([undefined, 'not JSON', '{"type":"other"}'])('rejects if %j is all it prints', async (line) => {
  await expect(createStartSample(() => playProcess(line))('/data/sample', undefined)).rejects.toMatchObject({
    code: 'service/unreachable',
  });
});
