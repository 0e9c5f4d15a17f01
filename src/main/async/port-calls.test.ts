import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { connectPort, type Peer } from './port-calls.ts';

type Remote = {
  readonly double: (number: number) => number;
  readonly count: (...args: readonly unknown[]) => readonly string[];
  readonly refuse: () => never;
  readonly fail: () => never;
  readonly failOddly: () => never;
  readonly wait: (signal: AbortSignal) => Promise<never>;
};

const remote: Remote = {
  double: (number) => number * 2,
  count: (...args) => args.map((arg) => (arg instanceof AbortSignal ? 'AbortSignal' : typeof arg)),
  refuse: () => {
    throw new DeskError('service/busy', 'later', { retry: 'later', retryAfterMs: 7, details: { host: 'a' } });
  },
  fail: () => {
    throw new TypeError('not a function');
  },
  failOddly: () => {
    const cause = new Error('it broke', { cause: { socket: () => {} } });
    throw Object.assign(new Error('not a file', { cause }), { handle: () => {} });
  },
  wait: (signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
};

type Functions = Readonly<Record<string, () => void>>;

const connectBoth = (bugs: unknown[] = []) => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  connectPort(port2, remote, (error) => bugs.push(error));
  return connectPort<Remote>(port1, {}, () => {});
};

test('a call is answered by the other side', async () => {
  expect(await connectBoth().call.double(21)).toBe(42);
});

test('a function gets all arguments, and a signal only from a caller that has one', async () => {
  const { signal } = new AbortController();
  expect(await connectBoth().call.count('a', undefined)).toEqual(['string', 'undefined']);
  expect(await connectBoth().call.count('a', signal)).toEqual(['string', 'AbortSignal']);
});

test('the functions of the other side can be the result of an async function', async () => {
  const opened = async () => connectBoth().call;
  expect(await (await opened()).double(21)).toBe(42);
});

test('a DeskError arrives as a DeskError, a bug with its message', async () => {
  const peer = connectBoth();
  const known = { code: 'service/busy', retry: 'later', retryAfterMs: 7, details: { host: 'a' } };
  await expect(peer.call.refuse()).rejects.toMatchObject(known);
  await expect(peer.call.fail()).rejects.toThrow(new TypeError('not a function'));
});

test('a call and a message to an unknown function fail', async () => {
  const bugs: unknown[] = [];
  const { call, tell } = connectBoth(bugs) as unknown as Peer<Functions>;
  await expect(call.renamed?.()).rejects.toThrow('renamed');
  tell.renamedToo?.();
  await expect.poll(() => bugs).toMatchObject([{ message: expect.stringContaining('renamedToo') }]);
});

test('a bug arrives with its causes, whatever else it holds that no other thread can get', async () => {
  const cause = expect.objectContaining({ message: 'it broke' });
  await expect(connectBoth().call.failOddly()).rejects.toMatchObject({ message: 'not a file', cause });
});

test('a DeskError that no call waits for keeps its code in the other thread', async () => {
  const bugs: unknown[] = [];
  const peer = connectBoth(bugs);
  peer.reportBug(new DeskError('data/unwritable', 'the database file cannot be used', { details: { sqlite: 13 } }));
  await peer.call.double(1);
  expect(bugs).toEqual([expect.any(DeskError)]);
  expect(bugs).toMatchObject([{ code: 'data/unwritable', details: { sqlite: 13 } }]);
});

test('without a receiver on one side, its bugs go to the other', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const bugs: unknown[] = [];
  connectPort(port2, remote);
  const peer = connectPort<Remote>(port1, {}, (error) => bugs.push(error));
  peer.tell.fail();
  await expect.poll(() => bugs).toEqual([new TypeError('not a function')]);
});

test('a cancelled call is cancelled on the other side, even if it was cancelled before it was made', async () => {
  const peer = connectBoth();
  const late = new AbortController();
  const waiting = peer.call.wait(late.signal);
  late.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'app/cancelled' });
  await expect(peer.call.wait(AbortSignal.abort())).rejects.toMatchObject({ code: 'app/cancelled' });
});

test('ending the connection rejects every call', async () => {
  const peer = connectBoth();
  const waiting = peer.call.wait(new AbortController().signal);
  peer.end(new DeskError('upload/engine-stopped', 'gone'));
  await expect(waiting).rejects.toMatchObject({ code: 'upload/engine-stopped' });
  await expect(peer.call.double(1)).rejects.toMatchObject({ code: 'upload/engine-stopped' });
});

test('an error thrown by a message without an answer is reported as a bug on that side', async () => {
  const bugs: unknown[] = [];
  const peer = connectBoth(bugs);
  peer.tell.fail();
  await peer.call.double(1);
  expect(bugs).toEqual([new TypeError('not a function')]);
});

test('serve replaces what a side answers with', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const answering = connectPort(port2, { double: () => 0 }, () => {});
  const peer = connectPort<Remote>(port1, {}, () => {});
  expect(await peer.call.double(21)).toBe(0);
  answering.serve(remote);
  expect(await peer.call.double(21)).toBe(42);
});

test('each channel has functions of its own, and settles before its result arrives', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const answering = connectPort<Remote>(port2, { double: () => 0 }, () => {});
  const events: string[] = [];
  const asking = connectPort<Remote>(port1, {}, () => {});
  asking.channel(1).serve({ note: (event: string) => events.push(event) });
  const { call, serve, tell } = answering.channel<{ readonly note: (event: string) => void }>(1);
  serve({ double: (number: number) => number * 2, fail: remote.fail, ask: () => call.note('asked') }, () =>
    tell.note('settled'),
  );
  const channel = asking.channel<Remote & { readonly ask: () => Promise<void> }>(1);
  expect([await asking.call.double(21), await channel.call.double(21)]).toEqual([0, 42]);
  expect(events).toEqual(['settled']);
  await expect(channel.call.fail()).rejects.toThrow('not a function');
  await channel.call.ask();
  expect(events).toEqual(['settled', 'settled', 'asked', 'settled']);
  await expect(asking.channel<Remote>(2).call.double(1)).rejects.toThrow('no function');
});

test('a background worker keeps the process alive only while a call waits for it', async () => {
  // The worker responds late, so a process that does not wait ends without an output.
  const worker = `
    import { parentPort } from 'node:worker_threads';
    const respond = ({ id, args: [number] }) => parentPort.postMessage([{ type: 'result', id, value: number * 2 }]);
    parentPort.on('message', (calls) => setTimeout(() => calls.forEach(respond), 100));`;
  const program = `
    import { startWorker } from ${JSON.stringify(new URL('port-calls.ts', import.meta.url))};
    const module = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(worker)}));
    const stopped = () => new Error('stopped');
    const { call } = startWorker(module, { isBackground: true, stopped, onBug: console.error });
    console.log(await call.double(21), await Promise.all([call.double(1), call.double(2)]));`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 });
  expect(stdout).toBe('42 [ 2, 4 ]\n');
});
